"""``python -m sudare``; the program ``sudare`` starts outside of the package."""

from sudare_start import start

if __name__ == "__main__":
    start()

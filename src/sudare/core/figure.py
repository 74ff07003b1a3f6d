"""Figures: Vega-Lite data that notebooks draw, and that can be restyled and saved."""

import json
import os
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, get_args

from sudare.core.errors import MissingPartError, OutputError, SettingError
from sudare.core.messages import language

PictureFormat = Literal["svg", "png", "pdf", "html", "json"]
_FORMATS: tuple[PictureFormat, ...] = get_args(PictureFormat)
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_NOTEBOOK_TYPE = "application/vnd.vegalite.v5+json"
_INK = "currentColor"  # of the page around the chart, be it light or dark
_STYLE = {
    "font": "Helvetica, Arial, sans-serif",
    "axis": {"labelColor": _INK, "titleColor": _INK, "gridColor": "#88888844"},
    "axisX": {"labelFlush": False},  # else the last two labels run into each other
    "legend": {"labelColor": _INK, "titleColor": _INK},
    "header": {"labelColor": _INK, "titleColor": _INK},
    "title": {"color": _INK, "subtitleColor": _INK},
    "view": {"stroke": "#88888888"},
}
_JAPANESE = "Noto Sans CJK JP, Noto Sans JP, Hiragino Sans, Yu Gothic, sans-serif"
_FONT_PACKAGE = "noto_cjk_sans_jp_regular"


class Figure(dict[str, Any]):
    """A finished chart as Vega-Lite data: one chart serves notebook, report and workbench.

    It is a dictionary, so that any program that knows Vega-Lite can use it, and no network is
    needed to draw it.

    Examples
    --------
    >>> import sudare
    >>> figure = sudare.risk.Uniques()(sudare.datasets.toy()).figure()
    >>> figure.properties(title="Records that stand alone", width=300)["width"]
    300
    >>> figure.restyle(font="serif", axis={"labelFontSize": 14})["config"]["font"]
    'serif'
    """

    @property
    def spec(self) -> dict[str, Any]:
        """The chart as a plain dictionary, with its style and the version of Vega-Lite it is for.

        Words have the color of the page around it.
        """
        style = {**_STYLE, "font": _JAPANESE} if language() == "ja" else _STYLE
        return {"$schema": _SCHEMA, **self, "config": _merged(style, self.get("config", {}))}

    def properties(self, **properties: Any) -> "Figure":
        """Return the chart with another ``title``, ``width``, ``height`` or ``background``.

        Any property that Vega-Lite has at the top of a chart can be given.
        """
        return Figure({**self, **properties})

    def restyle(self, **config: Any) -> "Figure":
        """Return the chart in another style: Vega-Lite's config, merged into the chart's own.

        The marks of a risk–utility map have styles of their own, such as "frontier" or "limit":
        ``restyle(style={"frontier": {"stroke": "navy"}})``.
        """
        return Figure({**self, "config": _merged(self.get("config", {}), config)})

    def render(self, form: PictureFormat, *, scale: float = 2) -> bytes:
        """Return the chart as a file's content: "svg", "png", "pdf", "html" or "json".

        Parameters
        ----------
        form
            The format. An HTML page holds the chart library, so that it needs no network.
        scale
            Pixels of a PNG for each of the chart.
        """
        spec = {**self.spec, "background": self.get("background") or "white"}
        match form:
            case "json":
                return json.dumps(self.spec, ensure_ascii=False, indent=1).encode()
            case "png":
                return _converter().vegalite_to_png(spec, scale=scale)
            case "pdf":
                return _converter().vegalite_to_pdf(spec)
            case "html":
                return str(_converter().vegalite_to_html(spec, bundle=True)).encode()
            case "svg":
                return str(_converter().vegalite_to_svg(spec)).encode()

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the chart as SVG, PNG, PDF, HTML or JSON, by the ending of the path."""
        target = Path(path)
        content = self.render(picture_format(target))
        try:
            with target.open("wb" if overwrite else "xb") as file:
                file.write(content)
        except FileExistsError:
            raise OutputError(
                "'{path}' exists; choose another name, or allow overwriting (overwrite=True, "
                "--force).",
                path=str(target),
            ) from None
        except OSError as error:
            raise OutputError(
                "could not write '{path}': {reason}.", path=str(target), reason=error.strerror
            ) from error
        return target

    def altair(self) -> Any:
        """Return the chart as one of Altair's, for everything that Altair can do with it."""
        if find_spec("altair") is None:
            raise MissingPartError("charts of Altair need the library altair: pip install altair.")
        from importlib import import_module

        return import_module("altair").Chart.from_dict(self.spec)

    def __repr__(self) -> str:
        title = self.get("title", "")
        return f"<Figure: {title['text'] if isinstance(title, Mapping) else title}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Return what a notebook draws: the chart, or its picture where it has no Vega-Lite."""
        return {
            _NOTEBOOK_TYPE: self.spec,
            "image/svg+xml": self.render("svg").decode(),
            "text/plain": repr(self),
        }


def nominal(field: str, **more: Any) -> dict[str, Any]:
    """Return how a field of names is drawn: ``nominal("column", title=None)``."""
    return {"field": field, "type": "nominal", **more}


def quantitative(field: str, **more: Any) -> dict[str, Any]:
    """Return how a field of numbers is drawn: ``quantitative("loss", title="loss")``."""
    return {"field": field, "type": "quantitative", **more}


def with_looks(field: str, looks: Mapping[str, str]) -> dict[str, Any]:
    """Return how a field of names is drawn, each name in the color or shape given for it."""
    scale = {"domain": list(looks), "range": list(looks.values())}
    return nominal(field, title=None, scale=scale)


def picture_format(path: str | os.PathLike[str]) -> PictureFormat:
    """Return the format that the ending of a path names."""
    ending = Path(path).suffix.lower().removeprefix(".")
    for form in _FORMATS:
        if form == ending:
            return form
    raise SettingError(
        "a picture ends in {formats}, not in '{ending}'.",
        formats=", ".join(f".{form}" for form in _FORMATS),
        ending=f".{ending}",
    )


def font_folders() -> list[str]:
    """Return the folder of the Japanese font that comes as a package, if it is installed."""
    package = find_spec(_FONT_PACKAGE)
    return list(package.submodule_search_locations or ()) if package else []


@cache
def _converter() -> Any:
    """Return the library that draws; Japanese is set in the font of the extra if need be."""
    import vl_convert

    for folder in font_folders():
        vl_convert.register_font_directory(folder)
    return vl_convert


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return nested settings with others laid over them."""
    return {
        **base,
        **{
            name: _merged(base[name], value)
            if isinstance(value, Mapping) and isinstance(base.get(name), Mapping)
            else value
            for name, value in over.items()
        },
    }

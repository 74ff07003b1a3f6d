"""The site in two languages: `page.ja.md` beside a page is that page in Japanese.

One `mkdocs build` makes both: the English site, then the Japanese one in its folder `ja`. A page
that has no translation is shown in English, and says so. Headings of a translation keep the
anchors of the English page, so that a link works in either language.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markdown import Markdown
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from sudare.core import Language

NAMES = {"en": "English", "ja": "日本語"}
SUFFIX = ".ja.md"
SWITCH = "/switch-to-"  # stands for the address of a page in another language until it is known
PICTURE = re.compile(r"\]\(([^()\s]+)\.png\)")
# The theme cuts kanji of a query at the longest words that pages have, as Chinese is cut, and
# loses the last character: 公開前検査 became 公開前 and 個人 became 個. The segmenter that cuts
# the pages takes its place.
QUERY = re.compile(r'\[\.\.\.\w+\((\w),this\.index\.invertedIndex\)\]\.join\("\* "\)')
FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+ .*?)( *\{[^{}]*\})?$", re.MULTILINE)
UNTRANSLATED = (
    '!!! note ""\n    このページはまだ日本語に訳されていません。英語のまま表示しています。\n'
)
TITLES = {
    "Home": "ホーム",
    "Guide": "ガイド",
    "Tutorials": "チュートリアル",
    "Papers": "論文",
    "Methods": "手法",
    "API reference": "APIリファレンス",
    "Design": "設計",
    "Changelog": "変更履歴",
}


def language_of(config: MkDocsConfig) -> Language:
    """Return the language of the site that is being built."""
    return "ja" if config.theme["language"] == "ja" else "en"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Offer the switch between the languages, and translate the navigation."""
    config.extra["alternate"] = [
        {"name": name, "link": f"{SWITCH}{language}/", "lang": language}
        for language, name in NAMES.items()
    ]
    if language_of(config) == "ja":
        config.nav = [_in_japanese(part, Path(config.docs_dir)) for part in config.nav or []]
    return config


def _in_japanese(part: Any, docs: Path) -> Any:
    """Return a part of the navigation; a translated page is called by its own heading."""
    if isinstance(part, str):
        return part
    ((title, content),) = part.items()
    if isinstance(content, str):
        translated = (docs / content).with_suffix(SUFFIX).is_file()
        named = title in TITLES or not translated
        return {TITLES.get(title, title): content} if named else content
    return {TITLES.get(title, title): [_in_japanese(inner, docs) for inner in content]}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put translations in the place of their pages, and leave them out of the English site."""
    for file in [file for file in files if file.src_uri.endswith(SUFFIX)]:
        files.remove(file)
        uri = file.src_uri.removesuffix(SUFFIX) + ".md"
        original = files.get_file_from_path(uri)
        if language_of(config) == "ja" and original is not None:
            files.remove(original)
            files.append(File.generated(config, uri, abs_src_path=str(file.abs_src_path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    """Keep the anchors of the English page, or say that the page is not translated."""
    if language_of(config) != "ja" or page.file.src_uri.startswith("methods/"):
        return markdown
    source = page.file.abs_src_path or ""
    if not source.endswith(SUFFIX):
        heading = re.search(r"\A# .*$", markdown, re.MULTILINE)  # none where a file is included
        title = heading[0] if heading else ""
        return f"{title}\n\n{UNTRANSLATED}\n{markdown.removeprefix(title)}"
    original = Path(config.docs_dir) / page.file.src_uri
    english = original.read_text(encoding="utf-8")
    return with_pictures(with_anchors(markdown, list(anchors(english))), original.parent)


def with_pictures(markdown: str, folder: Path) -> str:
    """Return a page that shows the Japanese picture of a screen where there is one.

    Examples
    --------
    >>> guide = Path(__file__).parent / "guide"
    >>> with_pictures("![a](../images/workbench/risk.png) ![b](../images/map.png)", guide)
    '![a](../images/workbench/risk.ja.png) ![b](../images/map.png)'
    """

    def shown(picture: re.Match[str]) -> str:
        japanese = f"{picture[1]}.ja.png"
        return f"]({japanese})" if (folder / japanese).is_file() else picture[0]

    return PICTURE.sub(shown, markdown)


def anchors(markdown: str) -> Iterator[str]:
    """Yield the anchor of every heading.

    Examples
    --------
    >>> list(anchors("# A file\\n\\n## `init`, then what?\\n\\n## 名前 { #name }\\n"))
    ['a-file', 'init-then-what', 'name']
    """
    reader = Markdown(extensions=["attr_list", "md_in_html", "pymdownx.superfences", "toc"])
    reader.convert(re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.DOTALL))
    waiting = list(reader.toc_tokens)
    while waiting:
        token = waiting.pop(0)
        yield token["id"]
        waiting[:0] = token["children"]


def with_anchors(markdown: str, names: list[str]) -> str:
    """Return a page whose headings have the given anchors, in their order.

    Examples
    --------
    >>> print(with_anchors("# 表\\n```sh\\n# comment\\n```\\n## 列", ["table", "column"]))
    # 表 { #table }
    ```sh
    # comment
    ```
    ## 列 { #column }
    """
    waiting = iter(names)

    def anchored(heading: re.Match[str]) -> str:
        name = next(waiting, None)
        return f"{heading[1]} {{ #{name} }}" if name else heading[0]

    fences = FENCE.findall(markdown)
    prose = FENCE.split(markdown)
    parts = [HEADING.sub(anchored, part) for part in prose]
    return "".join(text for pair in zip(parts, [*fences, ""], strict=True) for text in pair)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Point the switch to the same page in the other language."""
    return _switched(output, page.url, config)


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    """Point the switch of the page for missing addresses to the two homes."""
    return output.replace(f"{SWITCH}en/", "/").replace(f"{SWITCH}ja/", "/ja/")


def _switched(output: str, url: str, config: MkDocsConfig) -> str:
    here = "ja/" if language_of(config) == "ja" else ""
    for language in NAMES:
        target = ("ja/" if language == "ja" else "") + url
        output = output.replace(f"{SWITCH}{language}/", get_relative_url(target, here + url))
    return output


def on_post_build(config: MkDocsConfig) -> None:
    """Cut queries as pages are cut, and build the Japanese site after the English one."""
    (worker,) = Path(config.site_dir).glob("assets/javascripts/workers/search.*.min.js")
    script, changed = QUERY.subn(r'lunr.segmenter.segment(\1).join(" ")', worker.read_text("utf-8"))
    if not changed:
        raise PluginError(f"{worker.name} cuts queries in a way that is not known here")
    worker.write_text(script, encoding="utf-8")
    if language_of(config) == "en":
        japanese = load_config(
            config.config_file_path,
            site_dir=str(Path(config.site_dir) / "ja"),
            site_url=f"{config.site_url}ja/",
            strict=config.strict,
        )
        japanese.theme["language"] = "ja"
        build(japanese)

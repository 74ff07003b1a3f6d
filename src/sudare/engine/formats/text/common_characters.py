"""Which language bytes of the EUC family are in: the one whose common characters they give most.

Japanese, Chinese and Korean files of this family can be read as each other without an error.
"""

_JAPANESE = (
    "日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北"
    "百書先名川千水半男西電校語土木食車何南万白天母火右読友左休父雨市区町村県府都道郡郎性別歳代業"
    "職番号地域世帯員数住所田藤佐鈴橋井野原林松竹島谷美恵有無未婚正規雇用収支費農漁製造建設運輸卸"
    "売医療福祉教育公務勤務自営家族配偶者親問答以満未計合平均回答該当非全他不詳調査票産就労働者"
    "氏齢歴卒社会階級型血液姻離死良可優評価疾患病院喫煙身体重量値種類率額資得税保険"
)
_CHINESE = (
    "的一是不了人在有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对"
    "可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公"
    "同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正"
    "名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关内"
    "加化由代军产入先山五太水万市男性别区县省村街姓张王李刘陈杨黄赵吴周京岁婚未职收入号码城"
)
_KOREAN = (
    "이다가는의을에고하지한사서로기리나인도시대정자어해를들은그일아수전보장부성주제상용만구과여있세"
    "원동소조관공라선오생산무경중비미재국면신학행연업남름김박최강윤임울직별령득호번졸혼녀년월명계역"
)
_LANGUAGES = {
    "euc_jp": frozenset(_JAPANESE),
    "gb18030": frozenset(_CHINESE),
    "cp949": frozenset(_KOREAN),
}


def likeliest(sample: bytes) -> str:
    """Return the encoding in which bytes give most common characters; EUC-JP where several do.

    Examples
    --------
    >>> likeliest("東京都".encode("euc_jp")), likeliest("北京,上海".encode("gb18030"))
    ('euc_jp', 'gb18030')
    """
    return max(_LANGUAGES, key=lambda encoding: common_share(sample, encoding))


def common_share(sample: bytes, encoding: str) -> float:
    """Return the share of common characters among those that are not ASCII; kana are common."""
    try:
        text = [c for c in sample.decode(encoding) if not c.isascii()]
    except UnicodeDecodeError:
        return -1.0
    common = _LANGUAGES[encoding]
    kana = encoding == "euc_jp"
    return sum(c in common or (kana and "ぁ" <= c <= "ー") for c in text) / max(len(text), 1)

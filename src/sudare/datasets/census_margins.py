"""Design tables of the census-like data: who there is, and who goes with whom.

A row is ``block, label, records, weight``:

block
    Two variables with common blocks never mix them: industry and occupation agree on who is
    employed, family type and children on who has children in the household.
records
    How many among `DESIGN_SIZE`. Plausible for Japan in 2010 but not published figures: they
    were bent until recoding leaves the numbers of categories of the paper's table 4.
weight
    How strongly the category goes with being at work. It ties the work side (industry) to the home
    side (family, children, nationality), where the weights of a record multiply.

The ``TYPICAL_*`` triples ``row label, column label, per cent`` reserve that share of the row for
the column; everybody else is dealt at random within the block.
"""

from typing import NamedTuple

DESIGN_SIZE = 128_280


class Category(NamedTuple):
    """One row of a design table."""

    block: int
    label: str
    records: int
    weight: float = 1.0


Table = tuple[Category, ...]
Typical = tuple[tuple[str, str, int], ...]

EMPLOYED, NOT_EMPLOYED = 0, 1
WITH_CHILDREN, CHILDLESS, INSTITUTION = 0, 1, 2


def _rows(block: int, table: str) -> Table:
    words = table.split()
    rows = zip(words[::3], words[1::3], words[2::3], strict=True)
    return tuple(
        Category(block, label, int(records), float(weight)) for label, records, weight in rows
    )


INDUSTRY = _rows(
    EMPLOYED,
    """
農業，林業 2210 7.4  漁業 180 7.4  鉱業，採石業，砂利採取業 25 2.7  建設業 4490 2.7
製造業 9900 2.7  電気・ガス・熱供給・水道業 285 2.7  情報通信業 1640 1.8
運輸業，郵便業 2960 2.5  卸売業，小売業 9860 2.7  金融業，保険業 1520 2.7
不動産業，物品賃貸業 1120 2.2  学術研究，専門・技術サービス業 1910 2.2
宿泊業，飲食サービス業 3430 2.2  生活関連サービス業，娯楽業 2210 2.5  教育，学習支援業 2650 3.0
医療，福祉 6150 3.0  複合サービス事業 370 3.3  サービス業（他に分類されないもの） 3400 2.5
公務（他に分類されるものを除く） 2020 3.0  分類不能の産業 3460 1.8
""",
) + _rows(NOT_EMPLOYED, "非就業 67590 1.0 労働力状態不詳 900 1.0")

OCCUPATION = _rows(
    EMPLOYED,
    """
管理的職業従事者 1440 1.0  専門的・技術的職業従事者 8680 1.0  事務従事者 11040 1.0
販売従事者 7980 1.0  サービス職業従事者 6880 1.0  保安職業従事者 1060 1.0
農林漁業従事者 2340 1.0  生産工程従事者 8370 1.0  輸送・機械運転従事者 2090 1.0
建設・採掘従事者 2630 1.0  運搬・清掃・包装等従事者 3760 1.0  分類不能の職業 3520 1.0
""",
) + _rows(NOT_EMPLOYED, "非就業・不詳 68490 1.0")

FAMILY = (
    _rows(
        WITH_CHILDREN,
        """
夫婦と子供 48510 1.0  男親と子供 2020 1.2  女親と子供 8170 1.0
夫婦，子供と両親（夫の親） 4670 1.5  夫婦，子供と両親（妻の親） 740 1.5
夫婦，子供とひとり親（夫の親） 4840 1.5  夫婦，子供とひとり親（妻の親） 1400 1.5
夫婦，子供と他の親族 1860 1.2  夫婦，子供，親と他の親族（夫の親） 1480 1.4
夫婦，子供，親と他の親族（妻の親） 310 1.4
""",
    )
    + _rows(
        CHILDLESS,
        """
夫婦のみ 21800 0.7  夫婦と両親（夫の親） 870 1.7  夫婦と両親（妻の親） 150 1.7
夫婦とひとり親（夫の親） 2210 1.5  夫婦とひとり親（妻の親） 650 1.5  夫婦と他の親族 530 1.2
夫婦，親と他の親族（夫の親） 550 1.4  夫婦，親と他の親族（妻の親） 120 1.4  兄弟姉妹のみ 920 1.1
他に分類されない親族世帯 1580 0.8  非親族を含む世帯 1860 1.5  単独世帯 20590 1.1
""",
    )
    + _rows(
        INSTITUTION,
        """
社会施設の入所者 1200 0.2  病院・療養所の入院者 620 0.2  寮・寄宿舎の学生・生徒 320 0.3
その他の施設等の世帯 30 3.6  自衛隊営舎内居住者・矯正施設の入所者 280 0.7
""",
    )
)

FOREIGN_WEIGHT = 2.0
FOREIGN = """中国 465 韓国・朝鮮 425 ブラジル 155 フィリピン 145 ペルー 42 アメリカ 41 タイ 31
ベトナム 30 インドネシア 21 インド 18 イギリス 15 ネパール 12 カナダ 11 オーストラリア 11
バングラデシュ 11 スリランカ 11 パキスタン 10 フランス 10 ドイツ 10 ロシア 10 マレーシア 10
ミャンマー 10 モンゴル 9 ボリビア 9 シンガポール 9 イラン 9 ニュージーランド 9 アルゼンチン 9
コロンビア 9 メキシコ 8 ナイジェリア 8 ガーナ 8 トルコ 8 イタリア 8 スペイン 8 ルーマニア 8
ウクライナ 8 ラオス 8 カンボジア 8 パラグアイ 8 チリ 8 エジプト 8 ケニア 7 スウェーデン 7
スイス 7 オランダ 7 アイルランド 7 ポーランド 7 ウズベキスタン 7 アフガニスタン 7
無国籍・国名不詳 7"""

AGE_BANDS = (
    "0～2歳",
    "3～5歳",
    "6～8歳",
    "9～11歳",
    "12～14歳",
    "15～17歳",
    "18～24歳",
    "25歳以上",
)
AGE_BAND_WEIGHT = (0.84, 0.77, 0.77, 0.77, 0.84, 1.00, 1.19, 1.40)

ONE_CHILD = (4_818, 1_667, 1_593, 1_382, 1_235, 1_401, 5_484, 16_428)
# Rows: age band of the youngest child; columns: of the oldest, from the youngest's band upwards.
# A zero is not a category: three children within three years of age hardly exist.
TWO_CHILDREN = (
    (1_761, 2_643, 755, 283, 98, 59, 37, 19),
    (724, 1_215, 224, 203, 55, 33, 27),
    (1_016, 1_481, 174, 154, 67, 43),
    (568, 1_137, 341, 131, 52),
    (674, 869, 269, 120),
    (726, 1_423, 623),
    (1_685, 6_431),
    (2_822,),
)
THREE_CHILDREN = (
    (0, 742, 507, 299, 100, 53, 30, 17),
    (0, 356, 478, 142, 82, 33, 16),
    (0, 349, 406, 189, 48, 21),
    (0, 443, 338, 97, 53),
    (0, 244, 418, 123),
    (0, 407, 738),
    (250, 1_581),
    (805,),
)
FOUR_OR_MORE_CHILDREN = (
    (0, 0, 199, 197, 55, 46, 25, 24),
    (0, 0, 116, 103, 53, 25, 20),
    (0, 0, 103, 76, 49, 21),
    (0, 0, 91, 66, 36),
    (0, 0, 100, 56),
    (0, 0, 224),
    (0, 0),
    (0,),
)


def _nationality() -> Table:
    words = FOREIGN.split()
    foreign = [
        Category(0, label, int(count), FOREIGN_WEIGHT)
        for label, count in zip(words[::2], words[1::2], strict=True)
    ]
    japan = DESIGN_SIZE - sum(row.records for row in foreign)
    return (Category(0, "日本", japan), *foreign)


def _siblings(number: str, triangle: tuple[tuple[int, ...], ...]) -> Table:
    return tuple(
        Category(
            WITH_CHILDREN,
            f"{number}・最年少{AGE_BANDS[youngest]}・最年長{AGE_BANDS[youngest + gap]}",
            count,
            AGE_BAND_WEIGHT[youngest],
        )
        for youngest, counts in enumerate(triangle)
        for gap, count in enumerate(counts)
        if count
    )


NATIONALITY = _nationality()
CHILDREN = (
    tuple(
        Category(WITH_CHILDREN, f"1人・{band}", count, weight)
        for band, count, weight in zip(AGE_BANDS, ONE_CHILD, AGE_BAND_WEIGHT, strict=True)
    )
    + _siblings("2人", TWO_CHILDREN)
    + _siblings("3人", THREE_CHILDREN)
    + _siblings("4人以上", FOUR_OR_MORE_CHILDREN)
    + _rows(CHILDLESS, "子供なし 51830 1.0")
    + _rows(INSTITUTION, "該当しない（施設等の世帯） 2450 1.0")
)

# Per cent of an employed industry (row) in an employed occupation (column), in the order above.
_OCCUPATION_PERCENT = (
    # 管理 専門 事務 販売 サー 保安 農林 生産 輸送 建設 運搬 不能
    (0, 0, 2, 0, 0, 0, 92, 0, 0, 0, 0, 0),  # 農業，林業
    (0, 0, 3, 0, 0, 0, 88, 0, 0, 0, 0, 0),  # 漁業
    (0, 0, 20, 0, 0, 0, 0, 0, 12, 48, 0, 0),  # 鉱業
    (6, 5, 15, 4, 0, 0, 0, 6, 3, 54, 1, 0),  # 建設業
    (2, 6, 20, 5, 0, 0, 0, 58, 1, 0, 6, 0),  # 製造業
    (2, 14, 45, 4, 0, 0, 0, 25, 0, 2, 0, 0),  # 電気・ガス
    (2, 54, 26, 10, 0, 0, 0, 0, 0, 0, 0, 0),  # 情報通信業
    (1, 0, 20, 0, 0, 0, 0, 2, 55, 0, 18, 0),  # 運輸業
    (2, 3, 17, 54, 4, 0, 0, 6, 1, 0, 7, 0),  # 卸売業，小売業
    (2, 2, 54, 38, 0, 0, 0, 0, 0, 0, 0, 0),  # 金融業
    (6, 2, 28, 36, 12, 0, 0, 0, 0, 0, 4, 0),  # 不動産業
    (3, 56, 26, 4, 0, 0, 0, 2, 0, 0, 0, 0),  # 学術研究
    (1, 0, 3, 7, 78, 0, 0, 0, 0, 0, 5, 0),  # 宿泊業
    (2, 5, 10, 6, 62, 0, 0, 4, 0, 0, 4, 0),  # 生活関連
    (1, 72, 16, 0, 5, 0, 0, 0, 0, 0, 0, 0),  # 教育
    (1, 48, 13, 0, 32, 0, 0, 0, 0, 0, 1, 0),  # 医療，福祉
    (2, 4, 72, 12, 0, 0, 0, 0, 0, 0, 0, 0),  # 複合サービス
    (2, 7, 22, 5, 4, 11, 0, 10, 2, 2, 28, 0),  # サービス業
    (2, 8, 48, 0, 0, 32, 0, 0, 0, 0, 1, 0),  # 公務
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 96),  # 分類不能
)

TYPICAL_OCCUPATIONS: Typical = tuple(
    (industry.label, occupation.label, percent)
    for industry, percents in zip(INDUSTRY, _OCCUPATION_PERCENT, strict=False)
    for occupation, percent in zip(OCCUPATION, percents, strict=False)
    if percent
)
TYPICAL_CHILDREN: Typical = (
    ("男親と子供", "1人・18～24歳", 22),
    ("夫婦，子供と両親（夫の親）", "1人・0～2歳", 20),
    ("夫婦，子供と両親（妻の親）", "1人・0～2歳", 24),
    ("夫婦，子供とひとり親（夫の親）", "2人・最年少18～24歳・最年長25歳以上", 20),
    ("夫婦，子供と他の親族", "1人・0～2歳", 24),
    ("夫婦，子供，親と他の親族（夫の親）", "2人・最年少18～24歳・最年長25歳以上", 22),
)
# Trainees' quarters: the one place where a foreign nationality outnumbers Japan, so that a model
# of nationality has something to predict, and something to lose when the place is merged away.
TYPICAL_NATIONALITIES: Typical = (("その他の施設等の世帯", "中国", 55),)

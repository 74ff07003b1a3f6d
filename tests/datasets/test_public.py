"""Loaders for public files: on small files of the same form, and on the real ones if any."""

from pathlib import Path

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric

ADULT = (
    "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
    "capital-gain,capital-loss,hours-per-week,native-country,income\n"
    "39,State-gov,77516,Bachelors,13,Never-married,Adm-clerical,Not-in-family,White,Male,2174,0,40,"
    "United-States,<=50K\n"
    "50,?,83311,Bachelors,13,Married-civ-spouse,?,Husband,White,Male,0,0,13,United-States,<=50K\n"
)
RETAIL = (
    "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country\n"
    "536365,85123A,HOLDER,6,2010-12-01 08:26:00,2.55,17850,United Kingdom\n"
    "C536379,D,Discount,-1,2010-12-01 09:41:00,27.5,,United Kingdom\n"
)


def test_adult_has_keys_weights_and_missing_values(tmp_path: Path) -> None:
    (tmp_path / "adult.csv").write_text(ADULT)
    data = sudare.datasets.adult(tmp_path / "adult.csv")
    assert len(data.keys) == 9
    assert data.sensitive == ("income",)
    assert data.weights is not None
    assert data["workclass"].missing.tolist() == [False, True]


def test_online_retail_has_dates_numbers_and_customers(tmp_path: Path) -> None:
    (tmp_path / "retail.csv").write_text(RETAIL)
    data = sudare.datasets.online_retail(tmp_path / "retail.csv")
    assert isinstance(data["InvoiceDate"], Numeric)
    assert data["InvoiceDate"].scale == "interval"
    assert isinstance(data["CustomerID"], Categorical)
    assert data.with_role("identifier") == ("CustomerID",)


def test_the_real_adult_file_is_read_whole(real_data: Path) -> None:
    data = sudare.datasets.adult(real_data / "adult.csv")
    assert (data.rows, len(data.columns)) == (48_842, 15)
    assert int(data["occupation"].missing.sum()) == 2_809


def test_the_real_online_retail_file_is_read_whole(real_data: Path) -> None:
    data = sudare.datasets.online_retail(real_data / "online_retail.parquet")
    assert (data.rows, len(data.columns)) == (541_909, 8)
    assert isinstance(data["UnitPrice"], Numeric)

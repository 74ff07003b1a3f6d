"""The page for those who come from sdcMicro: every function of it, and names of ours that exist."""

import re
from pathlib import Path

import pytest

import sudare

PAGES = Path(__file__).parents[2] / "docs/tutorials"
# What the NAMESPACE of sdcMicro 5.8.1 exports.
EXPORTED = """
    AI_applyAnonymization AI_createSdcObj IL_correl IL_variables LocalRecProg addGhostVars
    addNoise argus_microaggregation argus_rankswap calcRisks createDat createNewID createSdcObj
    dRisk dRiskRMD dUtility dataGen extractManipData freq freqCalc generateStrata get.sdcMicroObj
    globalRecode groupAndRename importProblem indivRisk infoLoss kAnon kAnon_violations ldiversity
    localSupp localSuppression mafast measure_risk mergeHouseholdData microaggrGower
    microaggregation modRisk
    mvTopCoding nextSdcObj plot.localSuppression plotMicro pram print rankSwap readMicrodata
    recordLinkage recordSwap removeDirectID report riskyCells sdcApp sdcMicroObj selectHouseholdData
    set.sdcMicroObj show shuffle strataVar<- suda2 summary topBotCoding undolast valTable
    varToFactor varToNumeric writeSafeFile
"""


@pytest.mark.parametrize("name", ["from-sdcmicro.md", "from-sdcmicro.ja.md"])
def test_every_function_of_sdcmicro_has_a_line(name: str) -> None:
    text = (PAGES / name).read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \| (.*?) \|", text.partition("| sdcMicro |")[2], re.MULTILINE)
    named = [word for row, _ in rows for word in re.findall(r"`([^`]+)`", row)]
    assert set(EXPORTED.split()) - set(named) == set()
    for _, ours in rows:
        for room, method in re.findall(r"`(mask|risk|loss)\.(\w+)", ours):
            assert hasattr(getattr(sudare, room), method)

"""The page on which the office decides: 決裁 in Japanese, an approval page in English."""

from typing import TYPE_CHECKING

from sudare.core import say
from sudare.release.report.document import Approval

if TYPE_CHECKING:
    from sudare.release.publishing import Publication


def decision_page(publication: "Publication") -> Approval:
    """Return the page that the people who answer for the release sign."""
    texts = publication.texts
    facts = [
        (say("subject"), texts.get("title", "")),
        (say("reference number"), ""),
        (say("office in charge"), texts.get("office", "")),
        (say("contact"), texts.get("contact", "")),
        (say("what is released"), publication.summary()),
        (say("purpose"), texts.get("purpose", "")),
        (say("date of release"), texts.get("date", "")),
    ]
    if texts.get("decision"):
        facts.append((say("decision"), texts["decision"]))
    return Approval(
        heading=say("Decision"),
        question=say("May the masked file be released as this report describes?"),
        facts=facts,
        signers=[say("prepared by"), say("checked by"), say("agreed by"), say("decided by")],
        lines=[say("position"), say("name"), say("signed on"), say("signature")],
        choices=[say("approved"), say("approved with conditions"), say("not approved")],
        remarks=say("Conditions and remarks"),
    )

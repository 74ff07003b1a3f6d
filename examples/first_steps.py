"""Mask the toy data, attack the result, and see what was lost."""

import sudare

data = sudare.datasets.toy()
masked = sudare.apply(
    data,
    [sudare.mask.GlobalRecode(min_share=0.1), sudare.mask.Noise(sd_ratio=0.1, columns=("income",))],
    seed=7,
)
attack = sudare.risk.Uniques(columns=("sex", "region", "education", "occupation"))
lost = sudare.loss.TotalVariation()(data, masked.data)
print(
    f"unique people: {attack(data).value:.1%} before, {attack(data, masked.data).value:.1%} after"
)
most = max(lost.parts, key=lambda name: lost.parts[name])
print(f"distributions moved by {lost.value:.1%}; most in {most}")

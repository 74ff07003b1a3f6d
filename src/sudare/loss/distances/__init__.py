"""Losses by distance: ILD, ILSSDM, mean absolute error."""

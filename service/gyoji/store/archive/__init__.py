"""Keeps closed matches outside the database: packs in object storage, who writes them and who reads them."""

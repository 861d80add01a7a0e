"""Names of seats, substitutes and tags: kept in normal form C, refused where they would not be what they look like."""

from web.matches.tables import House, Table, pointers, read


def test_names_of_seats_are_kept_in_normal_form_c(house: House) -> None:
    made = read(house.create(seats=[{"name": "Rene\u0301"}, {"name": "\u05d3\u05d5\u05d3"}, {"name": "Jo "}]))
    assert [seat["name"] for seat in made["seats"]] == ["Ren\u00e9", "\u05d3\u05d5\u05d3", "Jo "]


def test_a_name_of_a_seat_that_turns_or_hides(house: House) -> None:
    for name, code in (("Ann\u202e", "name-direction"), ("\u200b", "name-invisible"), ("Ann\u0378", "name-unassigned")):
        answer = house.create(seats=[{"name": "Ben"}, {"name": name}, {"name": "Cho"}])
        assert pointers(answer) == [("/seats/1/name", code)]


def test_tags_are_found_in_either_normal_form(house: House) -> None:
    match = read(house.create(tags=["Caf\u00e9"]))["match"]
    for tag in ("Caf\u00e9", "Cafe\u0301"):
        listed = read(house.client.get("/v1/matches", query_string={"tag": tag}, headers=house.table().operator))
        assert [each["match"] for each in listed["matches"]] == [match]
    assert pointers(house.create(tags=["Caf\u00e9", "Cafe\u0301"])) == [("/tags", "repeated")]


def test_the_name_of_a_substitute(house: House, table: Table) -> None:
    ruling = {"ruling": {"kind": "substitute", "seat": 0, "name": "Rene\u0301"}, "reason": "Ann had to leave."}
    headers: dict[str, str] = {**table.operator, "If-Match": table.get("", table.operator).headers["ETag"]}
    turned = {**ruling, "ruling": {"kind": "substitute", "seat": 0, "name": "Ren\u202e"}}
    answer = house.client.post(f"{table.path}/rulings", json=turned, headers=headers)
    assert pointers(answer) == [("/ruling/name", "name-direction")]
    read(house.client.post(f"{table.path}/rulings", json=ruling, headers=headers))
    assert table.seen(table.operator)["seats"][0]["name"] == "Ren\u00e9"

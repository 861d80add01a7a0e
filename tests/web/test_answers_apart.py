"""What one answer carries never shows in another, one after the other or at the same time."""

from concurrent.futures import ThreadPoolExecutor

from gyoji.web.app import create_app


def test_headers_of_a_refusal_and_of_a_page_stay_with_them() -> None:
    client = create_app().test_client()
    plain = dict(client.get("/healthz").headers)
    assert "Allow" in client.delete("/healthz").headers
    assert "Content-Security-Policy" in client.get("/docs").headers
    problem = client.get("/nowhere").headers
    assert "Allow" not in problem
    assert "Content-Security-Policy" not in problem
    assert set(dict(client.get("/healthz").headers)) == set(plain)


def test_answers_of_many_threads_have_their_own_length_and_type() -> None:
    app = create_app()
    paths = ["/healthz", "/nowhere", "/v1/games", "/problems", "/v1/games/catte/rules/CAT-3.1", "/v1/games/catte"]

    def asked(number: int) -> bool:
        path = paths[number % len(paths)]
        answer = app.test_client().get(path)
        media = (
            "application/problem+json"
            if path == "/nowhere"
            else "text/html"
            if path == "/problems"
            else "application/json"
        )
        return int(answer.headers["Content-Length"]) == len(answer.data) and answer.mimetype == media

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(asked, range(2000)))

"""The HTTP contract: operations, the shapes of requests and answers, and strict parsing of JSON."""

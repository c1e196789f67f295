#!/usr/bin/env python3
"""Looks at files that Ordeal has written: each against its schema or by its own tool, and at what no schema says.

    validate.py json|sarif|junit|dot FILE…

Says what is wrong, and exits with 1 then."""
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as xml

import jsonschema

HERE = pathlib.Path(__file__).parent
SCHEMAS = {"json": HERE.parent.parent / "docs/schema/ordeal-report.schema.json", "sarif": HERE / "sarif.schema.json"}


def check_sarif(whole):
    run = whole["runs"][0]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"], "another rule"
        for flow in result.get("codeFlows", []):
            orders = [[step["executionOrder"] for step in thread["locations"]] for thread in flow["threadFlows"]]
            assert all(order == sorted(order) for order in orders), "a thread runs backwards"
            assert sorted(sum(orders, [])) == list(range(1, 1 + sum(map(len, orders)))), "the order of the rows has gaps"
            names = [thread["id"] for thread in flow["threadFlows"]]
            assert len(set(names)) == len(names), "a thread twice"


def check_report(whole):
    rows = {event["row"] for bug in whole["bugs"] for event in bug.get("events", [])}
    for bug in whole["bugs"]:
        for event in bug.get("events", []):
            assert event.get("reads_from", "init") in rows | {"init"}, "it reads from nowhere"


def check_junit(file):
    subprocess.run(["xmllint", "--noout", "--schema", HERE / "junit.xsd", file], check=True, capture_output=True)
    for suite in xml.parse(file).getroot():
        cases = suite.findall("testcase")
        assert int(suite.get("tests")) == len(cases), "another number of tests"
        for count, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(count)) == sum(case.find(element) is not None for case in cases), "another number of " + count


def check_dot(file):
    drawn = subprocess.run(["dot", "-Tsvg", file], check=True, capture_output=True, text=True)
    assert not drawn.stderr, drawn.stderr
    text = pathlib.Path(file).read_text()
    assert drawn.stdout.count("</svg>") == sum(line == "digraph {" for line in text.split("\n")) > 0, "not every graph is drawn"
    for svg in drawn.stdout.split("<?xml")[1:]:
        xml.fromstring(svg[svg.index("<svg"):])


def check(kind, file):
    if kind in SCHEMAS:
        whole = json.loads(pathlib.Path(file).read_text())
        jsonschema.Draft7Validator(json.loads(SCHEMAS[kind].read_text())).validate(whole)
        (check_sarif if kind == "sarif" else check_report)(whole)
    else:
        (check_junit if kind == "junit" else check_dot)(file)


def main():
    failed = False
    for file in sys.argv[2:]:
        try:
            check(sys.argv[1], file)
        except (AssertionError, ValueError, KeyError, xml.ParseError, jsonschema.ValidationError) as error:
            print(f"{file}: {error}", file=sys.stderr)
            failed = True
        except subprocess.CalledProcessError as error:
            print(f"{file}: {error.stderr}", file=sys.stderr)
            failed = True
    return 1 if failed or not sys.argv[2:] else 0


sys.exit(main())

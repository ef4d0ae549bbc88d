import type { Draw, MadeOutput } from "./draw.ts";

const stack = (draw: Draw) => [`      at harbor (src/${draw.thing()}.js:${draw.between(2, 90)}:11)`];

/** Tests, builds, packages and checks. */
export const tests: readonly MadeOutput[] = [
  {
    name: "jest-json",
    command: "npx jest --json",
    exitCode: 1,
    lines: (draw) => [
      JSON.stringify({
        numFailedTests: 1,
        numPassedTests: 39,
        success: false,
        testResults: Array.from({ length: 10 }, (_, file) => ({
          name: `/home/dev/harbor/test/${draw.name()}.test.js`,
          status: file === 6 ? "failed" : "passed",
          assertionResults: Array.from({ length: 4 }, (_each, at) => ({
            ancestorTitles: [draw.thing()],
            duration: draw.between(1, 9),
            failureMessages: file === 6 && at === 2 ? ["Error: expected 3 cranes, received 2"] : [],
            status: file === 6 && at === 2 ? "failed" : "passed",
            title: `moors ${draw.name(" ")} ${at}`,
          })),
        })),
      }),
    ],
  },
  {
    name: "rspec-doc",
    command: "bundle exec rspec --format documentation",
    exitCode: 1,
    lines: (draw) => [
      ...Array.from({ length: 10 }, () => draw.thing()).flatMap((thing) => [
        "",
        `Harbor::${thing}`,
        ...draw.rows(7, (at) => `  moors the ${draw.name(" ")} ${at}`),
      ]),
      "  weighs the cargo (FAILED - 1)",
      "",
      "Failures:",
      "",
      "  1) Harbor::Crane weighs the cargo",
      "     Failure/Error: expect(crane.weight).to eq(41)",
      "",
      "       expected: 41",
      "            got: 40",
      "     # ./spec/crane_spec.rb:12:in `block (2 levels) in <top (required)>'",
      "",
      "Finished in 0.21 seconds (files took 0.3 seconds to load)",
      "71 examples, 1 failure",
    ],
  },
  {
    name: "phpunit-testdox",
    command: "vendor/bin/phpunit --testdox",
    exitCode: 1,
    lines: (draw) => [
      "PHPUnit 11.4.3 by Sebastian Bergmann and contributors.",
      "",
      ...Array.from({ length: 9 }, () => draw.thing()).flatMap((thing) => [
        `${thing} (Harbor\\${thing})`,
        ...draw.rows(8, (at) => ` ✔ Moors the ${draw.name(" ")} ${at}`),
        "",
      ]),
      " ✘ Weighs the cargo",
      "   │ Failed asserting that 40 matches expected 41.",
      "   │ /home/dev/harbor/tests/CraneTest.php:17",
      "",
      "Tests: 73, Assertions: 90, Failures: 1.",
    ],
  },
  {
    name: "dotnet-test",
    command: "dotnet test --logger console;verbosity=normal",
    exitCode: 1,
    lines: (draw) => [
      "Starting test execution, please wait...",
      ...draw.rows(
        70,
        (at) =>
          `  Passed Harbor.Tests.${draw.thing()}Tests.Moors_${draw.thing()}_${at} [${draw.between(1, 9)} ms]`,
      ),
      "  Failed Harbor.Tests.CraneTests.Weighs [12 ms]",
      "  Error Message:",
      "   Assert.Equal() Failure: Values differ",
      "Expected: 41",
      "Actual:   40",
      "  Stack Trace:",
      "     at Harbor.Tests.CraneTests.Weighs() in /home/dev/harbor/CraneTests.cs:line 12",
      "",
      "Total tests: 71",
      "     Passed: 70",
      "     Failed: 1",
    ],
  },
  {
    name: "dotnet-build",
    command: "dotnet build",
    lines: (draw) => [
      "  Determining projects to restore...",
      ...draw.rows(
        30,
        (at) =>
          `/home/dev/harbor/${draw.thing()}.cs(${draw.between(2, 200)},${draw.between(2, 40)}): warning CS8618: Non-nullable field '_${draw.thing()}${at}' must contain a non-null value [/home/dev/harbor/Harbor.csproj]`,
      ),
      "",
      "Build succeeded.",
      "    30 Warning(s)",
      "    0 Error(s)",
    ],
  },
  {
    name: "gradle-test",
    command: "./gradlew test --console=plain",
    exitCode: 1,
    lines: (draw) => [
      ...draw.rows(
        20,
        (at) => `> Task :${draw.thing()}${at}:compileJava ${draw.pick("UP-TO-DATE", "NO-SOURCE")}`,
      ),
      ...draw.rows(40, (at) => `${draw.thing()}Test > moors${at}() PASSED`),
      "CraneTest > weighs() FAILED",
      "    org.opentest4j.AssertionFailedError: expected: <41> but was: <40>",
      "        at app//harbor.CraneTest.weighs(CraneTest.java:17)",
      "",
      "41 tests completed, 1 failed",
      "BUILD FAILED in 4s",
    ],
  },
  {
    name: "mix-test",
    command: "mix test --trace",
    exitCode: 1,
    lines: (draw) => [
      "Running ExUnit with seed: 12",
      ...draw.rows(
        60,
        (at) => `  * test moors the ${draw.name(" ")} ${at} (0.${draw.below(9)}ms) [L#${at + 4}]`,
      ),
      "",
      "  1) test weighs the cargo (CraneTest)",
      "     test/crane_test.exs:9",
      "     Assertion with == failed",
      "     left:  41",
      "     right: 40",
      "",
      "61 tests, 1 failure",
    ],
  },
  {
    name: "swift-test",
    command: "swift test",
    exitCode: 1,
    lines: (draw) => [
      ...Array.from({ length: 30 }, (_, at) => `-[HarborTests.${draw.thing()}Tests moors${at}]`).flatMap(
        (name) => [
          `Test Case '${name}' started.`,
          `Test Case '${name}' passed (0.00${draw.between(1, 9)} seconds).`,
        ],
      ),
      '/home/dev/harbor/Tests/CraneTests.swift:12: error: -[HarborTests.CraneTests weighs] : XCTAssertEqual failed: ("41") is not equal to ("40")',
      "Executed 31 tests, with 1 failure (0 unexpected) in 0.2 (0.3) seconds",
    ],
  },
  {
    name: "googletest",
    command: "./harbor_test",
    exitCode: 1,
    lines: (draw) => [
      "[==========] Running 41 tests from 1 test suite.",
      ...Array.from({ length: 40 }, (_, at) => `Harbor.Moors${draw.thing()}${at}`).flatMap((name) => [
        `[ RUN      ] ${name}`,
        `[       OK ] ${name} (0 ms)`,
      ]),
      "[ RUN      ] Harbor.Weighs",
      "crane_test.cc:12: Failure",
      "Expected equality of these values:",
      "  crane.weight()",
      "    Which is: 40",
      "  41",
      "[  FAILED  ] Harbor.Weighs (0 ms)",
      "[==========] 41 tests from 1 test suite ran. (3 ms total)",
      "[  PASSED  ] 40 tests.",
      "[  FAILED  ] 1 test, listed below:",
      "[  FAILED  ] Harbor.Weighs",
    ],
  },
  {
    name: "bazel-test",
    command: "bazel test //...",
    exitCode: 3,
    lines: (draw) => [
      "INFO: Analyzed 60 targets (40 packages loaded, 900 targets configured).",
      ...draw.rows(
        59,
        (at) =>
          `//${draw.name("/")}:test_${at}`.padEnd(62) +
          draw.pick("(cached) PASSED in 0.1s", "PASSED in 0.3s"),
      ),
      "//crane:weigh_test                                            FAILED in 0.3s",
      "  /home/dev/.cache/bazel/testlogs/crane/weigh_test/test.log",
      "",
      "Executed 20 out of 60 tests: 59 tests pass and 1 fails locally.",
    ],
  },
  {
    name: "playwright-list",
    command: "npx playwright test --reporter=list",
    exitCode: 1,
    lines: (draw) => [
      "Running 41 tests using 4 workers",
      ...draw.rows(
        40,
        (at) =>
          `  ✓  ${at + 1} [chromium] › ${draw.thing()}.spec.ts:${draw.between(3, 90)}:5 › moors ${draw.name(" ")} (${draw.between(200, 900)}ms)`,
      ),
      "  ✘  41 [chromium] › crane.spec.ts:9:5 › weighs the cargo (5.0s)",
      "",
      "  1) [chromium] › crane.spec.ts:9:5 › weighs the cargo",
      "    Error: expect(received).toBe(expected)",
      "    Expected: 41",
      "    Received: 40",
      ...stack(draw),
      "",
      "  1 failed",
      "  40 passed (21.2s)",
    ],
  },
  {
    name: "cypress-run",
    command: "npx cypress run",
    exitCode: 1,
    lines: (draw) => [
      ...Array.from({ length: 8 }, () => draw.thing()).flatMap((thing) => [
        "",
        `  ${thing}`,
        ...draw.rows(7, (at) => `    ✓ moors ${draw.name(" ")} ${at} (${draw.between(20, 300)}ms)`),
      ]),
      "    1) weighs the cargo",
      "",
      "  56 passing (9s)",
      "  1 failing",
      "",
      "  1) crane weighs the cargo:",
      "      AssertionError: expected 40 to equal 41",
      ...stack(draw),
    ],
  },
  {
    name: "go-cover",
    command: "go test -cover ./...",
    lines: (draw) =>
      draw.rows(
        60,
        (at) =>
          `ok  \tharbor.example/${draw.name("/")}${at}\t0.${draw.between(100, 900)}s\tcoverage: ${draw.between(60, 90)}.1% of statements`,
      ),
  },
  {
    name: "junit-xml",
    command: "./run-tests --xml",
    lines: (draw) => [
      '<testsuite name="harbor" tests="60" failures="0">',
      ...draw.rows(
        60,
        (at) =>
          `  <testcase classname="harbor.${draw.thing()}" name="moors ${draw.name(" ")} ${at}" time="0.0${draw.between(10, 99)}"/>`,
      ),
      "</testsuite>",
    ],
  },
  {
    name: "coverage-table",
    command: "npx c8 report",
    lines: (draw) => [
      "----------------|---------|----------|---------|---------|-------------------",
      "File            | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s ",
      "----------------|---------|----------|---------|---------|-------------------",
      ...draw.rows(50, (at) =>
        ` ${`${draw.thing()}${at}.js`.padEnd(15)}|     ${draw.between(80, 99)}  |    ${draw.between(70, 99)}    |    100  |     ${draw.between(80, 99)}  | ${draw.between(3, 90)}-${draw.between(91, 99)}`.padEnd(
          79,
        ),
      ),
    ],
  },
  {
    name: "npm-audit",
    command: "npm audit",
    exitCode: 1,
    lines: (draw) => [
      "# npm audit report",
      "",
      ...Array.from({ length: 20 }, (_, at) => [
        `${draw.name()}  <=1.${at}.0`,
        "Severity: moderate",
        `${draw.thing()} reads past its end - https://github.com/advisories/GHSA-${draw.hex(4)}-${draw.hex(4)}-${draw.hex(4)}`,
        "fix available via `npm audit fix`",
        `node_modules/${draw.name()}`,
        "",
      ]).flat(),
      "20 moderate severity vulnerabilities",
    ],
  },
  {
    name: "npm-outdated",
    command: "npm outdated",
    exitCode: 1,
    lines: (draw) => [
      "Package               Current  Wanted  Latest  Location                           Depended by",
      ...draw.rows(
        40,
        (at) =>
          `${`${draw.name()}-${at}`.padEnd(22)}  1.2.${draw.below(9)}   1.2.9   2.0.0  node_modules/${draw.name().padEnd(21)} harbor`,
      ),
    ],
  },
  {
    name: "next-build",
    command: "npx next build",
    lines: (draw) => [
      "   ▲ Next.js 15.0.3",
      "",
      "   Creating an optimized production build ...",
      " ✓ Compiled successfully",
      "",
      "Route (app)                              Size     First Load JS",
      ...draw.rows(
        50,
        (at) =>
          `├ ○ /${`${draw.name("/")}/${at}`.padEnd(36)} ${draw.between(100, 900)} B         ${draw.between(80, 110)} kB`,
      ),
      "",
      "○  (Static)  prerendered as static content",
    ],
  },
  {
    name: "turbo-run",
    command: "npx turbo run build",
    lines: (draw) => [
      "• Packages in scope: 24",
      ...Array.from({ length: 24 }, (_, at) => `${draw.name()}-${at}`).flatMap((name) => [
        `${name}:build: cache hit, replaying logs ${draw.hex(16)}`,
        `${name}:build: > tsc -p .`,
      ]),
      " Tasks:    24 successful, 24 total",
      "Cached:    24 cached, 24 total",
    ],
  },
  {
    name: "sbt-compile",
    command: "sbt test",
    exitCode: 1,
    lines: (draw) => [
      "[info] welcome to sbt 1.10.5",
      ...draw.rows(60, (at) => `[info] - moors the ${draw.name(" ")} ${at}`),
      "[info] - weighs the cargo *** FAILED ***",
      "[info]   40 did not equal 41 (CraneSpec.scala:12)",
      "[error] Failed: Total 61, Failed 1, Errors 0, Passed 60",
    ],
  },
  {
    name: "xcodebuild",
    command: "xcodebuild -scheme Harbor build",
    lines: (draw) => [
      ...Array.from({ length: 24 }, () => draw.name("")).flatMap((name) => [
        `CompileSwift normal arm64 /Users/dev/Harbor/Sources/${name}.swift (in target 'Harbor' from project 'Harbor')`,
        "    cd /Users/dev/Harbor",
      ]),
      "** BUILD SUCCEEDED **",
    ],
  },
  {
    name: "flutter-test",
    command: "flutter test",
    exitCode: 1,
    lines: (draw) => [
      ...draw.rows(
        50,
        (at) =>
          `00:0${at % 9} +${at}: /home/dev/harbor/test/${draw.thing()}_test.dart: moors ${draw.name(" ")}`,
      ),
      "00:09 +50 -1: /home/dev/harbor/test/crane_test.dart: weighs the cargo [E]",
      "  Expected: <41>",
      "    Actual: <40>",
      "00:09 +50 -1: Some tests failed.",
    ],
  },
  {
    name: "lighthouse",
    command: "./audit-page",
    lines: (draw) =>
      draw.rows(
        60,
        (at) => `  ${draw.pick("✓", "✓", "○")} ${draw.name(" ")} ${at}: ${draw.between(90, 100)}/100`,
      ),
  },
];

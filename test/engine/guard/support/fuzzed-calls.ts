import fc from "fast-check";
import type { GuardedCall } from "../../../../src/engine/guard/calls/find-hits.ts";

/** Pieces of shell, so that random command lines have structure. */
const piece = fc.constantFrom(
  ..."rm|-rf|/|$X|\"|'|`|$(|)|{|}|(|;|&&|||>|<<EOF|\n|EOF|sudo|xargs|bash -c|find . -exec|{} \\;|eval|X=1|for a in b; do|done|if|then|fi|\\|#|*|~|${X:-y}|f()|<(|python3 -c|ssh h|docker exec c|git push|curl -d|psql -c|a=$a$a|cat constructor".split(
    "|",
  ),
  "|",
  "||",
);

export const shortCommandLine: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(" ")),
);

const word = fc.constantFrom(
  "a",
  "constructor",
  "/",
  "-rf",
  "main",
  "--force",
  ".env",
  "http://x.example",
  "$X",
  "{}",
);
const count = (most: number) => fc.integer({ min: 1, max: most });

/** What grows: texts made of themselves, loops in loops, scripts in loops, words filled in. */
const growing: fc.Arbitrary<string> = fc.oneof(
  count(1000).map((times) => `a=xx; ${"a=$a$a; ".repeat(times)}rm $a`),
  fc
    .tuple(count(5), fc.array(word, { maxLength: 8 }), shortCommandLine)
    .map(
      ([depth, words, body]) =>
        `${`for a in ${words.join(" ")}; do `.repeat(depth)}${body}; ${"done; ".repeat(depth)}`,
    ),
  fc
    .tuple(fc.constantFrom("rm -rf a; ", "git push --force; ", "echo $(cat a); ", "x|"), count(700), count(4))
    .map(
      ([text, times, depth]) =>
        `X='${text.repeat(times)}'; ${"for a in 1 2 3 4 5 6 7 8; do ".repeat(depth)}bash -c "$X"; ${"done; ".repeat(depth)}`,
    ),
  fc
    .tuple(count(3000), count(3000))
    .map(([words, marks]) => `echo ${"a".repeat(marks)} | xargs -I a bash -c ${"a".repeat(words)}`),
  fc
    .tuple(count(1500), count(1500))
    .map(([starts, marks]) => `find ${"b/ ".repeat(starts)} -exec rm ${"{}".repeat(marks)} ;`),
  fc
    .tuple(shortCommandLine, count(2000))
    .map(([text, times]) => `${text} `.repeat(Math.min(times, 30_000 / (text.length + 1)))),
  fc.tuple(piece, count(4000)).map(([text, times]) => text.repeat(times)),
  fc.tuple(piece, count(4000)).map(([text, times]) => `${text} `.repeat(times)),
  fc.tuple(word, count(2000)).map(([text, times]) => `env ${"A=1 ".repeat(times)} rm ${text}`),
  count(2000).map((times) => `${"A=1; ".repeat(times)}${"a | ".repeat(times)}b`),
  fc
    .tuple(
      fc.constantFrom("python3 -c", "node -e", "perl -e", "ruby -e", "awk"),
      fc.constantFrom(
        ...'open( |os.remove( |shutil.rmtree( |subprocess.run([ |fs.rmSync( |system( |x="|a, |\n| |('.split(
          "|",
        ),
      ),
      count(3000),
    )
    .map(([program, text, times]) => `${program} '${text.repeat(times)}'`),
  fc
    .tuple(
      fc.constantFrom("xargs ", "env ", "sudo ", "bash -c ", "ssh h ", "cp a b; cat b; ", "mapfile a < b; "),
      count(800),
    )
    .map(([text, times]) => text.repeat(times)),
  count(500).map((times) => `psql -c '${"delete from x; ".repeat(times)}'`),
);

/** Command lines of any kind, the long and hostile ones among them. */
export const commandLine: fc.Arbitrary<string> = fc.oneof(shortCommandLine, growing);

/** What PowerShell's reader looks for, again and again. */
const powershell: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      ..."(New-Object |New-Object Net.WebClient |$a = '|$a='x' |$a|[IO.File]::Delete('x'|.DownloadString(| |\n|(|iex ".split(
        "|",
      ),
    ),
    fc.string({ maxLength: 20 }),
    count(4000),
  )
  .map(([text, end, times]) => text.repeat(times) + end);

const written = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc
    .tuple(fc.constantFrom("AKIA", "ghp_", "-----BEGIN ", "sk_live_", "xoxb-", "a\n"), count(60_000))
    .map(([text, times]) => text.repeat(times)),
);

/** Calls of any kind that guard rules judge. */
export const anyCall: fc.Arbitrary<GuardedCall> = fc.oneof(
  {
    weight: 4,
    arbitrary: commandLine.map((command) => ({ kind: "command", command, shell: "posix" }) as const),
  },
  fc
    .oneof(commandLine, powershell)
    .map((command) => ({ kind: "command", command, shell: "powershell" }) as const),
  fc
    .tuple(fc.oneof(word, shortCommandLine), fc.option(written))
    .map(([file, content]) => ({ kind: "file", tool: "edit", file, content }) as const),
);

import { beginsWith, type Compressor } from "./compressor.ts";
import { kindOf } from "./left-out.ts";

const likeAbove = kindOf("logs", "line equal but for its time", "lines equal but for their time");

/** A line of a log begins with its time or its level. */
const logLine =
  /^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ,]|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d |\S{1,60} \S{1,30} \S{1,30} \[\d\d\/[A-Z][a-z]{2}\/\d{4}|\[?(?:INFO|DEBUG|TRACE|WARN|ERROR|NOTICE|info|debug|trace|warn|error)\b|\{"(?:time|level|ts|timestamp|msg|severity)"|\[ *\d+\.\d{6}\] )/u;
/** Times of a line, in the forms of ISO 8601, syslog and web servers. */
const times =
  /\d{4}[-/]\d\d[-/]\d\d[T ,]*|\d\d\/[A-Z][a-z]{2}\/\d{4}:?|[A-Z][a-z]{2} +\d{1,2} (?=\d\d:)|\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?|^\[ *\d+\.\d{6}\] /gu;
const looked = 300;
const leastLines = 30;
const leastShare = 0.6;
/** The first lines of each text are kept, and the last of all. */
const keptOfText = 3;
const keptAtEnd = 5;

/** Of log lines that are equal but for their time, the first three are kept. */
export const logs: Compressor = {
  runs: (words) =>
    beginsWith(
      words,
      "docker logs",
      "podman logs",
      "kubectl logs",
      "docker compose logs",
      "journalctl",
      "dmesg",
    ),
  mark: ({ lines }, marks, isExpected) => {
    const sample = lines.slice(0, looked);
    const share = sample.filter((line) => logLine.test(line)).length / sample.length;
    if (lines.length < leastLines || share < (isExpected ? leastShare / 2 : leastShare)) return;
    const seen = new Map<string, number>();
    lines.forEach((line, index) => {
      if (!logLine.test(line)) return;
      const text = line.replace(times, "");
      const count = (seen.get(text) ?? 0) + 1;
      seen.set(text, count);
      if (count > keptOfText && index < lines.length - keptAtEnd) marks.dropQuiet(index, likeAbove);
    });
  },
};

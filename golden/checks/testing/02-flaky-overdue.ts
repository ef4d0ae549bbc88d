import { judgeTests } from "../shared/mutants.ts";

const badge = "src/admin/components/StatusBadge.tsx";
const dates = "src/shared/dates.ts";

await judgeTests({
  tests: ["test/overdue.test.tsx"],
  least: 3,
  versions: [
    { name: "at noon", now: "2026-06-10T12:00:00Z" },
    { name: "late in the evening", now: "2026-06-10T22:30:00Z" },
    { name: "just before midnight", now: "2026-06-10T23:59:59Z" },
    { name: "just after midnight", now: "2026-12-31T00:00:01Z" },
    {
      name: "nothing is ever late",
      now: "2026-06-10T12:00:00Z",
      mutant: { file: badge, find: "isOverdue(dueAt, now)", replace: "false" },
    },
    {
      name: "everything is late",
      now: "2026-06-10T12:00:00Z",
      mutant: { file: badge, find: "isOverdue(dueAt, now)", replace: "true" },
    },
    {
      name: "the badge has no day",
      now: "2026-06-10T12:00:00Z",
      mutant: { file: badge, find: "{relativeDay(dueAt, now)}", replace: "" },
    },
    {
      name: "today is tomorrow",
      now: "2026-06-10T12:00:00Z",
      mutant: { file: dates, find: 'return "today"', replace: 'return "tomorrow"' },
    },
    {
      name: "tomorrow is today",
      now: "2026-06-10T12:00:00Z",
      mutant: { file: dates, find: 'return "tomorrow"', replace: 'return "today"' },
    },
    {
      name: "days ago are one too many",
      now: "2026-06-10T12:00:00Z",
      mutant: { file: dates, find: "`${-days} days ago`", replace: "`${1 - days} days ago`" },
    },
  ],
});

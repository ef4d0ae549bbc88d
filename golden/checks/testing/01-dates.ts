import { judgeTests } from "../shared/mutants.ts";

const file = "src/shared/dates.ts";
const mutant = (name: string, find: string, replace: string) => ({ name, mutant: { file, find, replace } });

await judgeTests({
  tests: ["test/dates.test.ts"],
  least: 6,
  versions: [
    { name: "the code as it is" },
    { name: "the code as it is, on new year's eve", now: "2027-12-31T23:59:00Z" },
    mutant(
      "on the very moment something is overdue",
      "Date.parse(now) > Date.parse(dueAt)",
      "Date.parse(now) >= Date.parse(dueAt)",
    ),
    mutant(
      "overdue is the other way round",
      "Date.parse(now) > Date.parse(dueAt)",
      "Date.parse(now) < Date.parse(dueAt)",
    ),
    mutant(
      "days are counted in whole 24 hours",
      "(Date.parse(dayOf(at)) - Date.parse(dayOf(now)))",
      "(Date.parse(at) - Date.parse(now))",
    ),
    mutant("yesterday is told as tomorrow", 'return "yesterday"', 'return "tomorrow"'),
    mutant("the past is told as the future", "`${-days} days ago`", "`in ${-days} days`"),
    mutant("the past has a minus sign", "`${-days} days ago`", "`${days} days ago`"),
    mutant(
      "a month ends after 30 days",
      "to.setUTCMonth(to.getUTCMonth() + 1)",
      "to.setUTCDate(to.getUTCDate() + 30)",
    ),
    mutant("a day is a time", "at.slice(0, 10)", "at.slice(0, 13)"),
  ],
});

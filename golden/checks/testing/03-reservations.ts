import { judgeTests } from "../shared/mutants.ts";

const file = "src/server/services/reservation-service.ts";
const mutant = (name: string, find: string, replace: string) => ({ name, mutant: { file, find, replace } });

await judgeTests({
  tests: ["test/reservation-service.test.ts"],
  least: 7,
  versions: [
    { name: "the code as it is" },
    mutant("suspended members may reserve", 'if (member.status !== "active")', "if (false)"),
    mutant("what is in can be reserved", "if (loan === null && queue.length === 0)", "if (false)"),
    mutant("members may wait for what they have", "if (loan?.memberId === memberId)", "if (false)"),
    mutant("members may wait twice", "if (queue.some((each) => each.memberId === memberId))", "if (false)"),
    mutant("a cancelled one can be cancelled", '|| reservation.status === "cancelled"', ""),
    mutant("cancelling leaves it in the queue", 'reservations.setStatus(id, "cancelled");', ""),
    mutant(
      "cancelling a ready one leaves the next waiting",
      'if (reservation.status === "ready")',
      "if (false)",
    ),
    mutant("the last one is served first", ".find(({ status }) =>", ".findLast(({ status }) =>"),
    mutant("nobody is told", "notifier.itemReady(members.get(next.memberId), items.get(itemId));", ""),
    mutant("who is next stays waiting", 'reservations.setStatus(next.id, "ready");', ""),
  ],
});

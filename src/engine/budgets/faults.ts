import { type Result, type Failure, fail, errorCode } from "../base/result.ts";
import { sentence, type Sentence, compose } from "../base/language.ts";

/**
 * Reasons for failures of budgets.
 * - `invalid_id`, `invalid`: the request is wrong
 * - `not_found`, `exists`: there is no such budget, or there is one already
 * - `corrupt`: a file is damaged, or was edited by hand; its limits are unknown, so nothing is allowed
 * - `changed`: another process changed it meanwhile
 * - `busy`: others keep writing; try again
 * - `unusable`: the system refuses a file or folder
 */
export type BudgetFault =
  "invalid_id" | "invalid" | "not_found" | "exists" | "corrupt" | "changed" | "busy" | "unusable";

export type BudgetFailure = Failure<BudgetFault>;
export type Budgeted<Value> = Result<Value, BudgetFault>;

export async function onDisk<Value>(
  what: string,
  act: () => Promise<Budgeted<Value>>,
): Promise<Budgeted<Value>> {
  try {
    return await act();
  } catch (error) {
    return fail("unusable", compose`${what}: ${remedyOf(errorCode(error))}`);
  }
}

/** A file of limits or spending that cannot be read, which stops all spending. @param what is wrong with it */
export function unusableFile({
  file,
  what: saidWhat,
  remedy,
}: Readonly<Record<"what" | "remedy", Sentence>> & { readonly file: string }): Failure<"corrupt"> {
  return fail(
    "corrupt",
    sentence("{file} cannot be used: {what}; until that is fixed, nothing may be spent: {remedy}", {
      file,
      what: saidWhat,
      remedy,
    }),
  );
}

function remedyOf(code: string): Sentence {
  if (code === "ENOSPC") return sentence("the disk is full (ENOSPC); make room and try again");
  if (["EACCES", "EPERM", "EROFS"].includes(code))
    return sentence("purser may not read or write it ({0}); change its permissions", code);
  return sentence("the system says {0}", code);
}

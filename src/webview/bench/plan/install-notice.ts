import { nothing, type TemplateResult } from "lit";
import type { JobView } from "../../../engine/jobs/answers/bench.ts";
import { notice } from "../../components/states.ts";
import { describeInstall } from "../describe-bench.ts";

/** Says what is downloaded when the plan is started; nothing if it is there already. */
export function installNotice({ install }: NonNullable<JobView["plan"]>): TemplateResult | typeof nothing {
  return install === null ? nothing : notice(describeInstall(install));
}

export { measuredWaste, serverAt, withoutServer } from "./leave-out/measured-waste.ts";
export { filesBesideSkill, filesOfSkill } from "./leave-out/skill-files.ts";
export { leaveOut, paragraphAt, type Ablation, type LineSpan } from "./leave-out/leave-out.ts";

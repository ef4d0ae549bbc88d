import { objectAt, textAt } from "../../claude/message-parts.ts";
import type { RowNames } from "../../records.ts";
import { findRollouts } from "../codex-files.ts";
import { readRolloutLine } from "../rollout-row.ts";
import { knownMembers, unknownMembersAt } from "../../records/known-members.ts";

const usage =
  "cache_write_input_tokens cached_input_tokens input_tokens output_tokens reasoning_output_tokens total_tokens";
const usageRecord =
  "response_id root_turn_id session_id thread_id thread_token_usage turn_id turn_token_usage usage";
const limit = "resets_at resets_in_seconds used_percent window_minutes";

/** By the row's type; an event has its own type. Lists the rows from which purser reads figures, places and models. */
const known = knownMembers({
  row: "metadata ordinal payload timestamp type",
  session_meta:
    "account_scoped agent_nickname agent_path agent_role base_instructions cli_version context_window cwd dynamic_tools " +
    "forked_from_id forked_from_ordinal_exclusive git history_base history_mode id instructions memory_mode model_provider " +
    "multi_agent_version originator parent_thread_id runtime_workspace_roots session_id source subagent_history_start_ordinal " +
    "thread_source timestamp",
  turn_context:
    "approval_policy approvals_reviewer collaboration_mode current_date cwd developer_instructions disabled_plugin_ids effort " +
    "final_output_json_schema model multi_agent_version network permission_profile personality realtime_active root_turn_id " +
    "sandbox_policy service_tier summary timezone truncation_policy turn_id user_instructions",
  token_usage_record: usageRecord,
  "token_usage_record.usage": usage,
  "token_usage_record.turn_token_usage": usage,
  "token_usage_record.thread_token_usage": usage,
  token_count: "info rate_limits type",
  "token_count.info": "last_token_usage last_usage_includes_reasoning model_context_window total_token_usage",
  "token_count.info.last_token_usage": usage,
  "token_count.info.total_token_usage": usage,
  "token_count.rate_limits":
    "credits individual_limit limit_id limit_name plan_type primary rate_limit_reached_type secondary spend_control_reached",
  "token_count.rate_limits.primary": limit,
  "token_count.rate_limits.secondary": limit,
  task_started:
    "collaboration_mode_kind model_context_window root_turn_id started_at turn_attribution turn_id type",
  compacted:
    "compaction_response_id first_window_id latest_token_usage_record message previous_window_id replacement_history " +
    "replacement_history_metadata resume_metadata retained_context window_id window_number",
  "compacted.latest_token_usage_record": usageRecord,
  "compacted.latest_token_usage_record.usage": usage,
});

/** Returns the names of members that no tested version of Codex writes into such a row. */
function unknownRolloutMembers(row: unknown): string[] {
  if (typeof row !== "object" || row === null) return [];
  const [type, payload] = ["type" in row ? row.type : null, "payload" in row ? row.payload : null];
  const event = typeof payload === "object" && payload !== null && "type" in payload ? payload.type : null;
  const place = type === "event_msg" ? event : type;
  return [
    ...unknownMembersAt(known, "row", row),
    ...(typeof place === "string" ? unknownMembersAt(known, place, payload) : []),
  ];
}

export const rowNames: RowNames = {
  files: (roots) => findRollouts(roots).files,
  unknownIn(row, line) {
    const read = readRolloutLine(line);
    return { type: read.kind === "unknown" ? read.type : null, members: unknownRolloutMembers(row) };
  },
  versionIn: (row) => textAt(objectAt(row, "payload"), "cli_version"),
};

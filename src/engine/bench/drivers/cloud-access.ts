import { type Env } from "./run-environment.ts";

/** A cloud through which Claude Code may reach its model: the variable that enables it, and the names of its credentials and options. */
interface Cloud {
  readonly isOn: string;
  readonly names: RegExp;
}

const clouds: readonly Cloud[] = [
  {
    isOn: "CLAUDE_CODE_USE_BEDROCK",
    names: /^(?:CLAUDE_CODE_(?:USE_BEDROCK|SKIP_BEDROCK_AUTH)|ANTHROPIC_BEDROCK_\w+|AWS_\w+)$/u,
  },
  {
    isOn: "CLAUDE_CODE_USE_VERTEX",
    names:
      /^(?:CLAUDE_CODE_(?:USE_VERTEX|SKIP_VERTEX_AUTH)|ANTHROPIC_VERTEX_\w+|VERTEX_REGION_\w+|CLOUD_ML_REGION|CLOUDSDK_CONFIG|GOOGLE_\w+)$/u,
  },
  {
    isOn: "CLAUDE_CODE_USE_FOUNDRY",
    names: /^(?:CLAUDE_CODE_(?:USE_FOUNDRY|SKIP_FOUNDRY_AUTH)|ANTHROPIC_FOUNDRY_\w+|AZURE_\w+)$/u,
  },
];

/** Whether a name belongs to a cloud that is enabled. The keys of all others are withheld from the agent and from what it runs. */
export function isOfCloudInUse(env: Env, name: string): boolean {
  return clouds.some(({ isOn, names }) => isSet(env[isOn]) && names.test(name));
}

/** Whether the model is reached through a cloud, which then identifies the user. */
export function isCloudInUse(env: Env): boolean {
  return clouds.some(({ isOn }) => isSet(env[isOn]));
}

/** Parses a switch as Claude Code does: empty and words for no are off. */
export function isSet(value: string | undefined): boolean {
  return !["", "0", "false", "no", "off"].includes((value ?? "").trim().toLowerCase());
}

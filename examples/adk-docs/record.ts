// Writes recordings/: what the scripted judge says, as a recording of a real one would look.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CallPolicies } from '@agent-criteria/core/host';
import { callPolicies } from '@agent-criteria/models';
import { type AgentSource, type EvaluateSettings, evaluate } from '@agent-criteria/project';
import { type Opinion, scripted } from './scripted-judge.ts';
import { KEYS, registryOf } from './walk.ts';

/** The file that holds what was said in one evaluation. */
export function recordingOf(name: string): string {
  return fileURLToPath(new URL(`recordings/${name}.recording.jsonl`, import.meta.url));
}

/** Evaluates under a script, and records what it says. */
export async function record(
  name: string,
  opinion: Opinion,
  what: Pick<EvaluateSettings, 'evalSet' | 'config'> & { readonly agent: AgentSource },
) {
  const file = recordingOf(name);
  rmSync(file, { force: true });
  const label = 'what a script said, not a model';
  const recording = await callPolicies({ cache: false, recording: { file, mode: 'record', label } });
  const policies: CallPolicies = {
    apply: (tools, caller) => recording.apply(scripted(tools, caller, opinion), caller),
    close: () => recording.close(),
  };
  const result = await evaluate({ ...what, registry: registryOf(), policies, environment: KEYS });
  await policies.close();
  return result;
}

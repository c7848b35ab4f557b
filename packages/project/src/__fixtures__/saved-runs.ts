import { join, resolve } from 'node:path';
import { createRegistry, resolveEvalConfig } from '@agent-criteria/core/host';
import { responseMatch } from '@agent-criteria/criteria-rouge';
import { parseEvalSet } from '@agent-criteria/formats/parse';
import type { CaseSelection, RunCommit } from '@agent-criteria/results';
import { run } from '@agent-criteria/runner';

export interface RunToSave {
  /** The verdict of each case: it passes if this is `true`. */
  readonly cases?: Readonly<Record<string, boolean>>;
  readonly set?: string;
  readonly agent?: string;
  readonly selection?: CaseSelection;
  readonly commit?: RunCommit;
  readonly name?: string;
  readonly scoring?: boolean;
  /** The first message of each case. */
  readonly asks?: string;
}

/** Saves a run in a folder for runs, with an agent that passes the cases that should. */
export async function saveRun(runsFolder: string, id: string, options: RunToSave = {}): Promise<string> {
  const { cases = { a: true, b: true }, set = 'home', agent = 'agent.mjs', asks = '', scoring = true, ...rest } = options;
  const evalCases = Object.entries(cases).map(([evalId, passes]) => ({
    evalId,
    conversation: [
      {
        userContent: { parts: [{ text: `${evalId}${asks}` }] },
        finalResponse: { parts: [{ text: passes ? `${evalId}${asks}` : 'other words' }] },
      },
    ],
  }));
  const plan = resolveEvalConfig({
    evalSet: parseEvalSet({ evalSetId: set, evalCases }).value,
    registry: createRegistry([responseMatch]),
    config: { criteria: { response_match_score: 1 } },
  });
  const folder = join(resolve(runsFolder), id);
  await run({
    sets: [{ plan, file: `${set}.evalset.json`, configFile: null, warnings: [] }],
    agent: { agent: (text: string) => text, agentPath: agent },
    folder,
    scoring,
    ...rest,
  });
  return folder;
}

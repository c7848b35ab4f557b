import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '@agent-criteria/criteria-llm-judge';
import { scriptedModel } from '@agent-criteria/core/testing';
import { evaluate } from '@agent-criteria/runner';

const file = join(mkdtempSync(join(tmpdir(), 'recording-')), 'judge.recording.jsonl');
const judge = scriptedModel(() => '{"reasoning":"The same.","is_the_agent_response_valid":"valid"}');
const run = (answer: string, mode: 'record' | 'replay') => {
  const turn = { user_content: { parts: [{ text: 'Open today?' }] }, final_response: { parts: [{ text: 'Yes.' }] } };
  return evaluate({
    agent: () => answer,
    evalSet: { eval_set_id: 'desk', eval_cases: [{ eval_id: 'open', conversation: [turn] }] },
    config: { criteria: { final_response_match_v2: 1 } },
    models: () => judge,
    calls: { recording: { file, mode } },
  });
};

await run('We are open.', 'record');
const again = await run('We are open.', 'replay');
console.log(again.verdict, again.calls.map(({ from }) => from).join(' ')); // passed recording recording recording
const changed = await run('We are open until six.', 'replay');
console.log(changed.exitCode, changed.finished, changed.problems[0]?.code); // 3 false RECORDING_MISSING
console.log(judge.requests.length); // 3

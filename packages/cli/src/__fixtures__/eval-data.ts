/** A turn of an eval set file: the user's message, the expected answer and the expected tool calls. */
export function turn(user: string, answer?: string, toolUses: readonly object[] = []): object {
  return {
    user_content: { role: 'user', parts: [{ text: user }] },
    final_response: answer === undefined ? undefined : { role: 'model', parts: [{ text: answer }] },
    intermediate_data: { tool_uses: toolUses },
  };
}

export function evalCase(id: string, ...conversation: readonly object[]): object {
  return { eval_id: id, conversation };
}

export function evalSet(id: string, ...cases: readonly object[]): object {
  return { eval_set_id: id, eval_cases: cases };
}

/** An agent that echoes its input. Importing it leaves a marker file. */
export const echoAgent = `
import { writeFileSync } from 'node:fs';
writeFileSync(new URL('imported', import.meta.url), '');
export const agent = (text) => text;
`;

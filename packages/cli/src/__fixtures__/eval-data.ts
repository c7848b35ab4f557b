/** A turn of an eval set file: what the user says, what is expected, which tools are expected. */
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

/** An agent that says back what it hears; it leaves a mark where it is imported. */
export const echoAgent = `
import { writeFileSync } from 'node:fs';
writeFileSync(new URL('imported', import.meta.url), '');
export const agent = (text) => text;
`;

// Stands where a language model would, so that this example needs none. It judges badly on purpose: it looks at the first number
// only. The labels show that.
import type { LanguageModel } from '@agent-criteria/cli';

export const scriptedJudge: LanguageModel = {
  id: 'scripted-judge',
  async generate({ messages }) {
    const asked = messages[0]?.parts?.[0]?.text ?? '';
    // The texts to be judged stand between lines that hold a code.
    const text = (name: string) =>
      new RegExp(`\\[begin \\w+: ${name}\\]\\n(.*?)\\n\\[end `, 's').exec(asked)?.[1] ?? '';
    const [said, expected] = [text("agent's answer"), text('reference answer')].map(
      (one) => /\d+/.exec(one)?.[0] ?? 'none',
    );
    const answer =
      said === expected
        ? { reasoning: `Both name ${expected} euro.`, is_the_agent_response_valid: 'valid' }
        : {
            reasoning: `The reference names ${expected} euro; the first number of the answer: ${said}.`,
            is_the_agent_response_valid: 'invalid',
          };
    return { text: JSON.stringify(answer), finish: 'stop', usage: {}, from: 'live' };
  },
};

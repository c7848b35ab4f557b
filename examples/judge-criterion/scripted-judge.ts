// Stands where a language model would, so that this example needs none: its rule fits these answers and nothing else.
import type { LanguageModel } from '@agent-criteria/cli';

export const scriptedJudge: LanguageModel = {
  id: 'scripted-judge',
  async generate({ messages }) {
    const asked = messages[0]?.parts?.[0]?.text ?? '';
    // The texts to be judged stand between lines that hold a code.
    const answer = /\[begin \w+: answer\]\n(.*?)\n\[end /s.exec(asked)?.[1] ?? '';
    const bare = answer.match(/\d+(?:\.\d+)?(?! ?(?:kWh|cents|December|[\d.]))/)?.[0];
    const said =
      bare === undefined
        ? { reasoning: 'Every number has its unit.', verdict: 'yes' }
        : { reasoning: `Nothing says what ${bare} measures.`, verdict: 'no' };
    return { text: JSON.stringify(said), finish: 'stop', usage: {}, from: 'live' };
  },
};

// Judges and simulated users in one, by the form that they are asked for. Words in capitals in what they read lead them.
export const scriptedModel = {
  id: 'scripted',
  async generate({ messages, schema }) {
    const seen = materialOf(messages[0].parts[0].text);
    // The question of doctor has no material.
    if (Object.keys(seen).length === 0) return { text: '{"answer":"yes"}', finish: 'stop', usage: {}, from: 'live' };
    const answer = seen["agent's answer"] ?? seen['final answer'] ?? '';
    if (answer === 'NOTHING') return new Promise(() => {});
    if (answer === 'SILENCE')
      return { text: '', finish: 'blocked', usage: { inputTokens: 100, outputTokens: 0 }, from: 'live' };
    const text = JSON.stringify(answerTo(JSON.stringify(schema), seen, answer));
    return { text, finish: 'stop', usage: { inputTokens: 100, outputTokens: 10 }, from: 'live' };
  },
};

function answerTo(asked, seen, answer) {
  if (asked.includes('"done"')) {
    const done = !seen.plan.includes('Never end.');
    // No two questions are the same: which of them is answered from the cache would be chance.
    const number = seen['conversation so far'].split('say more').length;
    return { reason: done ? 'all is said' : 'more is wanted', done, message: done ? '' : `say more ${number}` };
  }
  if (asked.includes('"is_valid"')) return { criteria: [], is_valid: true };
  if (asked.includes('is_the_agent_response_valid')) {
    const isWrong = answer === 'WRONG';
    return { reasoning: isWrong ? 'It is not.' : 'It is.', is_the_agent_response_valid: isWrong ? 'invalid' : 'valid' };
  }
  if (asked.includes('"rubrics"')) {
    const verdict = (text) => (text === 'The answer is short.' && answer.length > 10 ? 'no' : 'yes');
    return {
      rubrics: JSON.parse(seen.rubrics).map(({ id, text }) => ({
        id,
        evidence: '',
        rationale: 'as it is',
        verdict: verdict(text),
      })),
    };
  }
  if (!asked.includes('"label"')) return { sentences: seen['the text to cut'].split(/(?<=[.?!])\s+/) };
  const sentences = JSON.parse(seen['the sentences to check, as JSON']);
  return {
    sentences: sentences.map(({ number, sentence }) => ({
      number,
      supporting_excerpt: null,
      contradicting_excerpt: null,
      rationale: 'as it is',
      label: sentence.includes('INVENTED') ? 'unsupported' : 'supported',
    })),
  };
}

/** What stands between the fences, by name. */
function materialOf(text) {
  const marker = /code of this request is (\w+)/.exec(text)?.[1] ?? '';
  const parts = text.matchAll(new RegExp(`\\[begin ${marker}: (.*)\\]\\n([\\s\\S]*?)\\n\\[end ${marker}: `, 'g'));
  return Object.fromEntries([...parts].map(([, name, inside]) => [name, inside]));
}

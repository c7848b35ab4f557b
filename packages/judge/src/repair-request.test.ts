import { describe, expect, it } from 'vitest';
import { repairRequest } from './repair-request.ts';

const question = { role: 'user', parts: [{ text: 'How much?' }] };
const again = { role: 'user', parts: [{ text: 'Answer again.' }] };
const request = { system: 'You count.', messages: [question], sample: 2 };

describe('repairRequest()', () => {
  it('asks again after the unusable answer, with everything else unchanged', () => {
    const answer = { role: 'model', parts: [{ text: 'Hm.' }] };
    expect(repairRequest(request, { text: 'Hm.' }, 'Answer again.')).toEqual({
      ...request,
      messages: [question, answer, again],
    });
  });

  it('asks again without a message of the model if its answer was empty', () => {
    expect(repairRequest(request, { text: '' }, 'Answer again.').messages).toEqual([question, again]);
  });
});

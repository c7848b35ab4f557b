import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Captured, captureAsGiven } from '../../packages/cli/src/__fixtures__/captured-io.ts';
import type { Answer } from '../ai-sdk/fixtures/fake-responses.ts';
import { snippets } from '../snippets.ts';
import { useModel } from './fixtures/model.ts';
import { type Framework, followPage, pageOf, pages } from './fixtures/pages.ts';

// The pages about agents of other frameworks, followed as a new user would, with OpenAI's own client in the framework,
// and a server that behaves like OpenAI's.

/** Answers as a model would that follows the instructions on the pages. */
const model: Answer = ({ instructions, items }) => {
  if (!instructions.includes('Look up every order')) throw new Error('the instructions are missing');
  const last = items.at(-1);
  const number = (items.findLast(({ args }) => args !== null)?.args as { number?: string } | undefined)?.number;
  if (last?.type !== 'function_call_output') {
    return { call: 'find_order', args: { number: /\d{4}/.exec(last?.text ?? '')?.[0] ?? '' } };
  }
  if (last.text.includes('no order')) return `There is no order ${number}.`;
  return last.text.includes('sent') ? `Order ${number} was sent on Monday.` : `Order ${number} is waiting for payment.`;
};
useModel(model);
afterAll(() => rmSync(join(import.meta.dirname, '.snippets'), { recursive: true, force: true }));

describe.each(Object.keys(pages) as Framework[])('the page about %s', (framework) => {
  const { output, evalSet, text } = pageOf(framework);
  const folder = followPage(framework, 'guide');
  const evaluate = (set: string): Promise<Captured> =>
    captureAsGiven(['eval', join(folder, 'agent.eval.ts'), join(folder, set), '--runs_folder', join(folder, 'runs')], {
      environment: { OPENAI_API_KEY: 'test-key' },
    });

  it('has two programs, which run', () => {
    expect(snippets(`typescript ${framework}`)).toHaveLength(2);
    expect(text).not.toMatch(/^```(js|ts|typescript)$/m);
  });

  it('has an agent and an eval set that pass, with the output that it shows', async () => {
    const { code, out, err } = await evaluate('orders.evalset.json');
    const printed = out.replaceAll(`${folder}/`, '');
    for (const line of output.split('\n')) expect(printed, err).toContain(line);
    expect(code, err).toBe(0);
  });

  it('has an agent that fails a case with another call', async () => {
    writeFileSync(join(folder, 'wrong.evalset.json'), evalSet.replace('"number": "9999"', '"number": "9998"'));
    const { code, out, err } = await evaluate('wrong.evalset.json');
    expect(out, err).toContain('+ find_order({"number":"9999"})');
    expect(code, err).toBe(1);
  });
});

import { summarise } from '@agent-criteria/core/host';
import { describe, expect, it } from 'vitest';
import { rerunCommand } from './rerun-command.ts';

const info = { agent: 'agent.ts', repeats: 1, compat: null };
const set = { file: 'evals/a.evalset.json', configFile: null };

describe('rerunCommand()', () => {
  it("includes the agent, the case, the config and the run's options", () => {
    expect(rerunCommand(info, set, 'taxi')).toBe('npx agent-criteria eval agent.ts evals/a.evalset.json:taxi');
    expect(
      rerunCommand({ ...info, repeats: 3, compat: 'adk' }, { ...set, configFile: 'my evals/config.json' }, 'für zwei'),
    ).toBe(
      'npx agent-criteria eval agent.ts "evals/a.evalset.json:für zwei" --config-file-path "my evals/config.json" --num-runs 3 --compat adk',
    );
    expect(rerunCommand(info, { ...set, file: 'C:\\evals\\a.json' }, 'taxi')).toBe(
      'npx agent-criteria eval agent.ts "C:\\evals\\a.json:taxi"',
    );
  });

  it('includes the pass rate at which cases stop early', () => {
    expect(rerunCommand({ ...info, repeats: 30, auto: { casePassRate: 0.8 } }, set, 'taxi')).toBe(
      'npx agent-criteria eval agent.ts evals/a.evalset.json:taxi --num-runs auto:30 --gate case_pass_rate=0.8',
    );
  });

  it('includes all variants', () => {
    const variants = ['fast', 'slow'].map((name) => ({ name, agent: `${name}.ts#root`, summary: summarise([]) }));
    expect(rerunCommand({ ...info, variants }, set, 'taxi')).toBe(
      'npx agent-criteria eval --variant "fast=fast.ts#root" --variant "slow=slow.ts#root" evals/a.evalset.json:taxi',
    );
  });

  it.each([
    ...[
      '$(id)',
      '`id`',
      'a"; id; "',
      "a'; id; '",
      'a & calc',
      '%PATH%',
      'a\nid',
      '\u001B[201~id',
      'a | id',
      'a > b',
      '!!',
      'a;b',
    ],
    ...['\u2018; calc; \u2018', 'a\u2028id', 'ends in \\'],
    ...['a,b', ' a', 'a ', ''],
  ])('returns undefined for the id %j, which cannot be quoted safely', (id) => {
    expect(rerunCommand(info, set, id)).toBeUndefined();
  });

  it('returns undefined if there is no local file or the agent is unsafe', () => {
    expect(rerunCommand(info, { ...set, file: null }, 'taxi')).toBeUndefined();
    expect(rerunCommand(info, { ...set, file: 'https://host/a.json' }, 'taxi')).toBeUndefined();
    expect(rerunCommand({ ...info, agent: '--detailed' }, set, 'taxi')).toBeUndefined();
    expect(rerunCommand({ ...info, agent: 'a$(id)' }, set, 'taxi')).toBeUndefined();
  });
});

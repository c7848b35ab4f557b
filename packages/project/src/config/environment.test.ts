import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../test/folder.ts';
import { applyEnvironment, loadEnvironment } from './environment.ts';

describe('loadEnvironment', () => {
  it("prefers variables that are already set, then .env in the agent's folder, then .env in the working folder", async () => {
    const folder = folderOf({
      'agents/home/agent.ts': '',
      'agents/home/.env': '\ufeffKEY=agent\nBOTH=agent\nSET=agent\nEMPTY=agent\n',
      '.env': 'BOTH=working\r\nexport OTHER="two words" # why\r\nSET=working\r\n',
    });
    const environment = { SET: 'before', EMPTY: '', GONE: undefined };
    for (const agent of ['agents/home', 'agents/home/agent.ts', 'agents/home/new.ts']) {
      const loaded = await loadEnvironment({ agent: join(folder, agent), environment, workingFolder: folder });
      expect(loaded.variables).toEqual({
        KEY: 'agent',
        BOTH: 'agent',
        SET: 'before',
        EMPTY: '',
        OTHER: 'two words',
        GONE: undefined,
      });
      const files = loaded.files.map(({ file, names, ignored }) => [file, names.toSorted(), ignored.toSorted()]);
      expect(files).toEqual([
        [join(folder, 'agents/home/.env'), ['BOTH', 'KEY'], ['EMPTY', 'SET']],
        [join(folder, '.env'), ['OTHER'], ['BOTH', 'SET']],
      ]);
    }
  });

  it('reads each file once, and ignores missing files, folders and agents behind a URL', async () => {
    const folder = folderOf({ '.env': 'A=1', 'venv/.env/pyvenv.cfg': '' });
    symlinkSync(join(folder, '.env'), join(folder, 'venv', 'linked'));
    const once = await loadEnvironment({ agent: folder, environment: {}, workingFolder: folder });
    expect(once.files).toHaveLength(1);
    const none = await loadEnvironment({
      agent: 'https://host/a',
      environment: {},
      workingFolder: join(folder, 'venv'),
    });
    expect(none).toEqual({ variables: {}, files: [], inFiles: [], warnings: [] });
  });

  it('warns of agent-criteria settings in a file, and does not set them', async () => {
    const folder = folderOf({
      'agent/.env':
        'AGENT_CRITERIA_JUDGE_MODEL=theirs\nagent_criteria_cache=/theirs\nAGENT_CRITERIA_AGENT_TOKEN=token\n',
      '.env': 'AGENT_CRITERIA_RUNS_FOLDER=elsewhere\n',
    });
    const environment = { AGENT_CRITERIA_MAX_CALLS: '5' };
    const loaded = await loadEnvironment({ agent: join(folder, 'agent'), environment, workingFolder: folder });
    expect(loaded.variables).toEqual({ AGENT_CRITERIA_MAX_CALLS: '5', AGENT_CRITERIA_AGENT_TOKEN: 'token' });
    expect(loaded.files.flatMap(({ names }) => names)).toEqual(['AGENT_CRITERIA_AGENT_TOKEN']);
    expect(loaded.warnings.map(({ file, message }) => [file, message.split(' ')[0]])).toEqual([
      [join(folder, 'agent/.env'), 'AGENT_CRITERIA_JUDGE_MODEL'],
      [join(folder, 'agent/.env'), 'agent_criteria_cache'],
      [join(folder, '.env'), 'AGENT_CRITERIA_RUNS_FOLDER'],
    ]);
    expect(JSON.stringify(loaded.warnings)).not.toContain('theirs');
    const target: Record<string, string | undefined> = {};
    applyEnvironment(loaded, target);
    expect(target).toEqual({ AGENT_CRITERIA_AGENT_TOKEN: 'token' });
  });

  it('does not pollute prototypes, and also lists files that add no values', async () => {
    const folder = folderOf({ '.env': '__proto__=secret\nconstructor=secret\ntoString=secret\n' });
    const { variables, files } = await loadEnvironment({ environment: {}, workingFolder: folder });
    expect(Object.getPrototypeOf(variables)).toBe(Object.prototype);
    expect(Object.hasOwn(variables, 'constructor')).toBe(true);
    expect(JSON.stringify(files)).not.toContain('secret');
  });
});

describe('applyEnvironment', () => {
  it('sets the variables from files, and keeps those that are already set', async () => {
    const folder = folderOf({ '.env': 'A=1\nB=2\nC=3' });
    const loaded = await loadEnvironment({ environment: { A: 'own' }, workingFolder: folder });
    const target: Record<string, string | undefined> = { A: 'own', B: 'later', D: 'x' };
    applyEnvironment(loaded, target);
    expect(target).toEqual({ A: 'own', B: 'later', C: '3', D: 'x' });
  });
});

import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { evalCase, evalSet, turn } from './__fixtures__/eval-data.ts';
import { folderOf } from './__fixtures__/folder.ts';

const width = { out: 60, err: 60 };

it('breaks what people read at 60 columns, and leaves JSON as it is', async () => {
  const folder = folderOf({
    'agent.ts': 'export const agent = (text) => text.slice(4);',
    'a.test.json': evalSet('a', evalCase('wrong', turn('say this is not what was expected at all', 'x '.repeat(60)))),
  });
  const args = ['eval', `${folder}/agent.ts`, `${folder}/a.test.json`];
  const { out } = await capture(args, { width });
  for (const line of [...out.split('\n'), ...(await capture(['criteria'], { width })).out.split('\n')]) {
    const unbreakable = line.includes(folder) || /agent-criteria |npm install /.test(line);
    if (!unbreakable) expect(stringWidth(line), line).toBeLessThanOrEqual(60);
  }
  expect(out).toContain('wrong: failed');
  const json = await capture([...args, '--json'], { width });
  expect(JSON.parse(json.out)).toMatchObject({ summary: { total: 1 } });
});

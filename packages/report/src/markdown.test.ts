import { inference } from '@agent-criteria/core/testing';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { hostileRun, hostileText } from './__fixtures__/hostile.ts';
import { runOf, textOf } from './__fixtures__/runs.ts';
import { everyVerdict, inCompat, largeRun, onlyMeasured, unfinishedRun } from './__fixtures__/shapes.ts';
import { inlineCode } from './escape-markdown.ts';
import { markdownReport } from './markdown.ts';
import { safe } from './terminal.ts';

/** Renders Markdown as GitHub does, except that dangerous HTML is not removed. */
function rendered(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
}

/** Removes code, where GitHub ignores mentions, references and links. */
const outsideCode = (html: string) => html.replace(/<(code|pre)\b[^>]*>.*?<\/\1>/gs, '');

describe('the Markdown report', () => {
  it('contains the verdict and the cases that did not pass, with the rest folded', async () => {
    const command = (set: string, id: string) => `agent-criteria eval agent.ts ${set}.json:${id}`;
    const text = await textOf(markdownReport(runOf([everyVerdict]), { command }));
    expect(text).toBe(`## ❌ failed: 2 passed, 1 failed, 1 not-evaluated, 1 error of 5 cases

Agent \`lamp/agent.ts\`, run \`run-1\`.

- pass rate 67% (95% confidence interval 13 to 98%), 3 cases; between 40% and 80%, depending on 2 cases that could not be judged
- mean of \`words\` 0.9 (0.139 to 0.998), 2 cases; between 0.6 and 0.933, depending on 1 case that could not be judged
- mean of \`kind\` 0.667 (0.182 to 0.953), 3 cases; between 0.367 and 0.833, depending on 3 cases that could not be judged


### \`rooms\`: 2 passed, 1 failed, 1 not-evaluated, 1 error of 5 cases

judged by \`words >= 0.8\`, \`kind >= 0.5\`, \`count only measured\`

| case | \`words\` | \`kind\` | \`count\` | verdict | why |
| --- | --- | --- | --- | --- | --- |
| \`wrong\` | 0.7999999 (1/1) | 0.5 (1/1, 66.7 %) | 4 (1/1) | ❌ failed | \`words: 0.7999999 is below the threshold 0.8: 1 of 4 words is missing\` |
| \`unclear\` | skipped | could not be judged | 0 (1/1) | ⚠️ not-evaluated | \`kind: it could not be judged: the judge did not answer\` |
| \`broken\` | not scored | not scored | not scored | 💥 error | \`turn 2: the wire is cut\` |

In full (\`[-expected-] {+actual+}, calls: - expected + made\`):

<details><summary><code>wrong</code>: failed</summary>

\`\`\`text
wrong: failed
  words 0.7999999 is below the threshold 0.8
  kind: it could not be judged: no judge answered
  turn 1
    prompt    switch it on
    answer    The lamp is [-on-]{+off+}.
    calls     - switch({"device":"lamp","state":"on"})
              + switch({"device":"lamp","state":"off"})
    words 0.7999999: 1 of 4 words is missing
      missing: on
    kind 0.5
      It says please. 0: it does not
      It is short. 1
      It rhymes. could not be judged: no judge answered
    count 4
  details: agent-criteria eval agent.ts rooms.json:wrong
\`\`\`

</details>
<details><summary><code>unclear</code>: not-evaluated</summary>

\`\`\`text
unclear: not-evaluated
  kind: it could not be judged: the judge did not answer
  turn 1
    prompt    switch it on
    answer    The lamp is on.
    calls     switch({"device":"lamp","state":"on"})
    words not applicable: no answer is expected
    kind could not be judged
    count 0
  details: agent-criteria eval agent.ts rooms.json:unclear
\`\`\`

</details>
<details><summary><code>broken</code>: error</summary>

\`\`\`text
broken: error
  turn 2: the wire is cut
  turn 2
    prompt    and off
    expected  The lamp is off.
    answer    (this turn did not happen)
      at agent (/home/me/agent.ts:4:30)
  details: agent-criteria eval agent.ts rooms.json:broken
\`\`\`

</details>
<details><summary>The other 2 cases</summary>

| case | \`words\` | \`kind\` | \`count\` | verdict | why |
| --- | --- | --- | --- | --- | --- |
| \`right\` | 1 (1/1) | 1 (1/1) | 3 (1/1) | ✅ passed |  |
| \`skipping\` | skipped | 0.5 (1/1) | 1 (1/1) | ✅ passed |  |

</details>
`);
    const html = rendered(text);
    expect(html.match(/<table>/g)).toHaveLength(2);
    expect(html).toContain('<td><code>wrong</code></td>\n<td>0.7999999 (1/1)</td>');
    expect(html).toContain(
      '<td><code>words: 0.7999999 is below the threshold 0.8: 1 of 4 words is missing</code></td>',
    );
  });

  it("begins with a note if the run is not finished, nothing was judged, or the numbers are ADK's", async () => {
    const unfinished = await textOf(markdownReport(unfinishedRun()));
    const [, , warning, said] = unfinished.split('\n');
    expect([warning, said]).toEqual([
      '> [!WARNING]',
      '> **This run is not finished: 5 of 9 units are run and scored.**',
    ]);
    const measured = await textOf(markdownReport(runOf([onlyMeasured, onlyMeasured])));
    expect(measured).toMatch(/^## ℹ️ informational: .*\n\n> \[!NOTE\]\n> Nothing was judged/);
    const mixed = await textOf(markdownReport(runOf([onlyMeasured, inCompat], { compat: 'adk' })));
    expect(mixed).toContain('only measured`\n\nNothing was judged: every criterion of this config only measures.\n\n');
    expect(mixed).toContain(', with the numbers of ADK Python.');
  });

  it('includes warnings', async () => {
    const warnings = Array.from(
      { length: 25 },
      (_, index) => ({ code: 'NOT_JSON', message: `odd ${index}`, file: 'a.json' }) as const,
    );
    const text = await textOf(markdownReport(runOf([{ ...everyVerdict, warnings }])));
    expect(text).toContain('\n- warning: `a.json: odd 0`\n');
    expect(text).toContain('- … and 5 more warnings\n');
  });

  it('shows identical repeats once, without breaking an address', async () => {
    const message = `no answer from https://example.org/${'a'.repeat(200)}`;
    const ending = { by: 'error', of: 'agent', error: { code: 'AGENT_FAILED', message } } as const;
    const [passed] = everyVerdict.cases;
    const repeats = Array.from({ length: 5 }, () => ({ inference: inference([], { ending }) }));
    const text = await textOf(markdownReport(runOf([{ ...everyVerdict, cases: [{ ...passed!, repeats }] }])));
    const [, full = ''] = text.split('In full');
    expect(full).toContain('  repeats 1 to 5: error\n');
    expect(full.replace(/\s+/g, ' ').split(message)).toHaveLength(2);
  });

  it('limits tables and cases, and counts the rest', async () => {
    const text = await textOf(markdownReport(largeRun(10_000), { limit: 20 }));
    expect(text.match(/\| ❌ failed \|/g)).toHaveLength(20);
    expect(text.match(/<summary><code>case-\d+<\/code>: failed/g)).toHaveLength(20);
    expect(text.match(/\| ✅ passed \|/g)).toHaveLength(20);
    expect(text).toContain('\n… and 80 more\n');
    expect(text).toContain('\n… and 9880 more\n');
  });

  it.each([2000, 5000, 9000, 9100, 9200, 20_000, 60_000])('never exceeds its size limit: %d bytes', async (bytes) => {
    const text = await textOf(markdownReport(largeRun(2000), { bytes, limit: 1000 }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
    expect(text.slice(-200)).toContain(`The report ends here, because it is limited to ${bytes} bytes.`);
    const html = rendered(text);
    expect(html.match(/<details>/g)?.length).toBe(html.match(/<\/details>/g)?.length);
    expect(rendered(`${text}\n\n*after*`)).toMatch(/<p><em>after<\/em><\/p>$/);
  });

  it('truncates a long case and closes its fence', async () => {
    const [, wrong] = everyVerdict.cases;
    const turns = Array.from({ length: 400 }, () => wrong!.repeats[0]!.inference!.invocations[0]!);
    const scores = { words: turns.map(() => ({ value: 0, reason: 'x'.repeat(200) })), kind: [], count: [] };
    const inference = { ...wrong!.repeats[0]!.inference!, invocations: turns };
    const run = runOf([{ ...everyVerdict, cases: [{ ...wrong!, repeats: [{ inference, scores }] }] }]);
    const text = await textOf(markdownReport(run));
    expect(text.length).toBeLessThan(23_000);
    expect(text).toContain('…\n```\n\n</details>\n');
  });

  it('renders untrusted text as plain text only', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        const html = rendered(await textOf(markdownReport(hostileRun(text), { command: (_, id) => `show ${id}` })));
        expect(html).not.toMatch(/<(script|img|a|iframe|svg|h1|hr|del|strong|em)\b/i);
        expect(html.match(/<(details|\/details)>/g)).toHaveLength(8);
        expect(html.match(/<table>/g)).toHaveLength(2);
        // Three cases that did not pass, one that did, and two header rows.
        expect(html.match(/<tr>/g)).toHaveLength(6);
        expect(html.match(/<pre>/g)).toHaveLength(3);
        expect(outsideCode(html)).not.toMatch(/[@#]|https?:|www\.|GH-/);
      }),
    );
  });
});

describe('inlineCode()', () => {
  it('shows a placeholder for empty text', () => {
    expect(inlineCode(' \n', 80)).toBe('(none)');
  });

  it('returns Markdown that renders as the original text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        const flat = text.replace(/\s+/g, ' ').trim();
        // Commands to CI services are escaped with a backslash.
        fc.pre(flat !== '' && safe(flat) === flat);
        const escaped = flat
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll('"', '&quot;');
        expect(rendered(`x ${inlineCode(text, 1000)} x`)).toBe(`<p>x <code>${escaped}</code> x</p>`);
        expect(rendered(`|a|\n|-|\n|${inlineCode(text, 1000)}|`)).toContain(`<td><code>${escaped}</code></td>`);
      }),
    );
  });
});

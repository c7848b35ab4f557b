import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

const root = new URL('../', import.meta.url);
const GUIDE = 'docs/guide';

interface Page {
  readonly section: string;
  /** From the root of the repository. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** The list of the guide's pages for language models: a line for each, in the form of llmstxt.org. */
export function llmsIndex(): string {
  const pages = guidePages();
  const sections = [...new Set(pages.map(({ section }) => section))].map((section) => {
    const lines = pages
      .filter((page) => page.section === section)
      .map(({ title, path, text }) => `- [${title}](${path}): ${opening(text)}\n`);
    return `## ${section}\n\n${lines.join('')}`;
  });
  const all = 'The text of all pages in one file: [llms-full.txt](llms-full.txt).';
  return `# agent-criteria\n\n> ${opening(read('README.md'))}\n\n${all}\n\n${sections.join('\n')}`;
}

/** The text of all pages of the guide. */
export function llmsFull(): string {
  const pages = guidePages().map(({ path, text }) => `<!-- ${path} -->\n\n${withLinksFromRoot(text).trim()}\n`);
  return pages.join('\n');
}

/** Lists the pages in the order of the guide's first page, each once. */
function guidePages(): readonly Page[] {
  const pages = new Map<string, Page>();
  let section = '';
  for (const line of read(`${GUIDE}/README.md`).split('\n')) {
    section = /^\*\*(.+)\*\*$/.exec(line)?.[1] ?? section;
    const file = /^- \[[^\]]+\]\(([\w-]+\.md)\)/.exec(line)?.[1];
    if (file === undefined || section === '' || pages.has(file)) continue;
    const path = `${GUIDE}/${file}`;
    const text = read(path);
    pages.set(file, { section, path, title: /^# (.+)$/m.exec(text)?.[1] ?? file, text });
  }
  return [...pages.values()];
}

/** Returns the first sentence after the title, without links. */
function opening(text: string): string {
  const [, paragraph = ''] = /^# .+\n\n(?:<!--[\s\S]*?-->\n\n)?([\s\S]*?)(?:\n\n|$)/m.exec(text) ?? [];
  const flat = paragraph.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ');
  return /^.*?[.:?!](?=\s|$)/.exec(flat)?.[0].replace(/:$/, '.') ?? flat;
}

function withLinksFromRoot(text: string): string {
  return text.replace(/\]\((?!https?:|mailto:|#)([^)\s]+)\)/g, (_, link: string) => {
    return `](${posix.normalize(posix.join(GUIDE, link))})`;
  });
}

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

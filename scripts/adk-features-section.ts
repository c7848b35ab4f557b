import { type AdkFeature, adkAsOf, adkFeatures, adkLater } from './adk-features.ts';

/** Returns the section of the parity page that accounts for ADK's features, and for what is known of later releases. */
export function adkFeaturesSection(): string {
  const tables = adkFeatures.map(
    ({ title, features }) =>
      `### ${title}\n\n| feature | since | here | note |\n| --- | --- | --- | --- |\n${features.map(rowOf).join('\n')}`,
  );
  const later = adkLater.map(({ release, fact, here }) => `| ${release} | ${fact} | ${here} |`);
  return `## What ADK has

As of ${adkAsOf.date}: everything for evaluation in ADK Python ${adkAsOf.release} (${adkAsOf.released}). A feature without a place here is out of scope, for the
reason in its row.

${tables.join('\n\n')}

### Later releases

| release | known | here |
| --- | --- | --- |
${later.join('\n')}
`;
}

function rowOf({ feature, since = '', see = [], note = '' }: AdkFeature): string {
  const links = see.map((path) => `[${path.split('/').at(-1)?.replace(/\.md$/, '')}](${linkOf(path)})`);
  return `| ${feature} | ${since} | ${links.length === 0 ? '–' : links.join(', ')} | ${note} |`;
}

/** Returns the path from the folder of the page. */
function linkOf(path: string): string {
  return path.startsWith('docs/') ? path.slice('docs/'.length) : `../${path}`;
}

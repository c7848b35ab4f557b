/**
 * Lists the parts of a text that a terminal or a CI service would interpret: control characters, changes of text
 * direction, and commands for GitHub Actions, Azure Pipelines, TeamCity, GitLab and Buildkite. Empty for a text that is
 * safe to print.
 */
export function liveCommands(text: string): readonly string[] {
  return [...text.matchAll(LIVE)].map(([found]) => found);
}

const LIVE = new RegExp(
  [
    String.raw`[^\P{Cc}\n\t]`,
    String.raw`[\u2028\u2029]|\p{Bidi_Control}`,
    // These are commands even after a margin or a label.
    String.raw`(?<![^\s\p{Cf}])::.*`,
    String.raw`##(?:vso|teamcity)?\[.*`,
    'section_(?:start|end):.*',
    String.raw`^[^\S\n]*(?:---|\+\+\+|~~~|\^\^\^)(?:[^\S\n].*)?$`,
  ].join('|'),
  'gimu',
);

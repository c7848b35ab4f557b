import { readFile } from 'node:fs/promises';
import type { Project } from '@agent-criteria/project';
import { type ReadEvalConfig, readEvalConfig } from '@agent-criteria/project/config';
import { versionOf } from '../http/version.ts';

/** The config that judges a set, and which version of it this is. */
export interface VersionedConfig {
  readonly read: ReadEvalConfig;
  /** The text of its file; `null`: it has none. */
  readonly text: string | null;
  /** As an entity tag: another file or another text is another version. */
  readonly version: string;
}

/** @throws CriteriaError for a file that cannot be read. */
export async function versionedConfig(project: Project, setFile: string): Promise<VersionedConfig> {
  const { file } = await readEvalConfig(setFile, { project: project.config });
  const text = await textOf(file);
  // Read after its text: what was saved between is at worst taken for a change that was not seen.
  const read = await readEvalConfig(setFile, { project: project.config });
  return { read, text, version: versionOf({ file: file ?? null, text }) };
}

/** `null`: there is no such file. */
export async function textOf(file: string | undefined): Promise<string | null> {
  return file === undefined ? null : readFile(file, 'utf8').catch(() => null);
}

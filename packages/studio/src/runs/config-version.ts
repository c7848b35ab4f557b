import { readFile } from 'node:fs/promises';
import type { Project } from '@agent-criteria/project';
import { type ReadEvalConfig, readEvalConfig } from '@agent-criteria/project/config';
import { versionOf } from '../http/version.ts';

/** The config of a set with its version. */
export interface VersionedConfig {
  readonly read: ReadEvalConfig;
  /** Text of its file, if it has one. */
  readonly text: string | null;
  /** Entity tag of its file name and text. */
  readonly version: string;
}

/** @throws CriteriaError if the file cannot be read. */
export async function versionedConfig(project: Project, setFile: string): Promise<VersionedConfig> {
  const { file } = await readEvalConfig(setFile, { project: project.config });
  const text = await textOf(file);
  // Read after its text: a change in between is at worst reported as a conflict.
  const read = await readEvalConfig(setFile, { project: project.config });
  return { read, text, version: versionOf({ file: file ?? null, text }) };
}

export async function textOf(file: string | undefined): Promise<string | null> {
  return file === undefined ? null : readFile(file, 'utf8').catch(() => null);
}

/**
 * The functions of `node:fs` that runs use. Importing the module would also load its promises API, which takes half as
 * long to load as core.
 */
export const {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} = process.getBuiltinModule('node:fs');

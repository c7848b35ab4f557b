// Nothing of the workspace's own configuration, which Vitest would find above.
export default {};

// Prevents Vitest from using the workspace's configuration.
export default {};

/** Every feature that can be switched, with what it does. All are off by default. */
export const FEATURES: Readonly<Record<string, string>> = {
  'trusted-ca': 'login to the wallet with an X.509 certificate chain',
};

/** The features that are on: what is disabled stays off even when it is enabled too. */
export const enabledFeatures = (enabled: readonly string[], disabled: readonly string[]): string[] =>
  [...new Set(enabled)].filter((name) => !disabled.includes(name));

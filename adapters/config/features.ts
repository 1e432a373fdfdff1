/** The features that can be enabled, with their descriptions. All are off by default. */
export const FEATURES: Readonly<Record<string, string>> = {
  'trusted-ca': 'login to the wallet with an X.509 certificate chain',
};

/** The enabled features: a disabled one is off even when it is also enabled. */
export const enabledFeatures = (enabled: readonly string[], disabled: readonly string[]): string[] =>
  [...new Set(enabled)].filter((name) => !disabled.includes(name));

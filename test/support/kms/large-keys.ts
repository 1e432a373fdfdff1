import { FakeKey } from '../../../demo/fake-clouds/fake-keys.ts';

/** Generates the large RSA keys of the fakes before the tests: it can take longer than a service may take to answer. */
export function useLargeKeys(): void {
  before(async () => {
    await Promise.all([FakeKey.create('RSA3072'), FakeKey.create('RSA4096')]);
  });
}

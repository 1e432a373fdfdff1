import { expect } from 'chai';
import { readSettings } from '../../adapters/config/read-settings.ts';
import type { KmsSettings, Settings } from '../../adapters/config/settings.ts';
import { checkKeys } from '../../composition/platform/key-checks.ts';
import { useFakeAws } from '../support/kms/aws.ts';

describe('the key management services as an operator sees them', () => {
  const aws = useFakeAws();

  async function settings(
    kms: Partial<KmsSettings>,
    keyGenerationDefaults: Settings['keyGenerationDefaults'] = {},
  ): Promise<Settings> {
    const read = await readSettings({ CONFIG_DIR: new URL('./none', import.meta.url).pathname });
    return { ...read, kms: { ...read.kms, timeoutSeconds: 30, ...kms }, keyGenerationDefaults };
  }

  async function stateOf(title: string, wanted: Settings) {
    const found = (await checkKeys(wanted)).find((one) => one.title === title);
    return found && { state: found.state, isUsable: found.isUsable };
  }

  it('one whose endpoint answers is usable with credentials of requests', async () => {
    expect(await stateOf('AWS KMS', await settings({ kmsa: aws.settings }))).to.deep.equal({
      state: 'usable; credentials come with each request',
      isUsable: true,
    });
  });

  it('one whose endpoint cannot be reached is not, and the reason is given', async () => {
    const nowhere = { endpoint: 'http://127.0.0.1:9', metadataEndpoint: 'http://127.0.0.1:9' };
    const found = await stateOf('AWS KMS', await settings({ kmsa: nowhere }));
    expect(found?.isUsable).to.equal(false);
    expect(found?.state).to.match(/^not usable now: .*127\.0\.0\.1:9 cannot be reached/);
  });

  it('one that the configuration does not name is not called', async () => {
    const { kmsb } = (await settings({})).kms;
    const nowhere = await settings({ kmsb: { ...kmsb, authorityHost: 'https://127.0.0.1:9' } });
    for (const title of ['AWS KMS', 'Azure Key Vault', 'Oracle OCI Vault', 'HashiCorp Vault'])
      expect(await stateOf(title, nowhere)).to.deep.equal({
        state: 'not called, since credentials come with each request',
        isUsable: true,
      });
  });

  it('configured credentials are tried without creating a key', async () => {
    const accepted = await settings({ kmsa: aws.settings }, { aws: aws.config() });
    expect((await stateOf('AWS KMS', accepted))?.state).to.include('credentials of key-generation-defaults.conf');
    const { auth } = aws.config();
    const refused = await settings(
      { kmsa: aws.settings },
      { kmsa: { auth: { ...auth, secretAccessKey: 'not-the-right-secret' } } },
    );
    const found = await stateOf('AWS KMS', refused);
    expect(found?.isUsable).to.equal(false);
    expect(found?.state).to.include('AWS KMS refused').and.not.include('not-the-right-secret');
    expect(aws.service.keys.size).to.equal(0);
  });
});

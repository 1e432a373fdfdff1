import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigurationError } from '../../adapters/config/errors.ts';
import { loadSettings } from '../../composition/platform/settings.ts';

describe('authentication-service.conf', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-login-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const read = async (content: object) => {
    await writeFile(join(folder, 'authentication-service.conf'), JSON.stringify(content));
    return (await loadSettings({ CONFIG_DIR: folder })).authenticationService.server;
  };
  const complete = {
    authorizeUrl: 'https://login.example/authorize',
    accessTokenUrl: 'https://login.example/token',
    clientId: 'credenza',
  };

  it('names a server with the default scopes, without a secret when it has none; an empty file names none', async () => {
    expect(await read(complete)).to.deep.equal({
      ...complete,
      name: 'login',
      defaultScopes: ['openid', 'profile'],
      forwardIssuerStateToAuthorizationServer: false,
    });
    expect(await read({})).to.equal(undefined);
  });

  it('refuses a server that is named in part, an address that is none, and scopes that are none', async () => {
    const { authorizeUrl, ...rest } = complete;
    for (const [content, field] of [
      [{ authorizeUrl }, 'accessTokenUrl'],
      [rest, 'authorizeUrl'],
      [{ ...complete, accessTokenUrl: 'login.example' }, 'accessTokenUrl'],
      [{ ...complete, authorizeUrl: 'https://user:secret@login.example' }, 'authorizeUrl'],
      [{ ...complete, defaultScopes: ['two words'] }, 'defaultScopes[0]'],
    ] as const) {
      const error = await read(content).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(ConfigurationError);
      const [problem] = (error as ConfigurationError).problems;
      expect(problem).to.include({ file: 'authentication-service.conf', field });
    }
  });
});

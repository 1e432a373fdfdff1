import { expect } from 'chai';
import { refuseRoleReferences } from '../../../domain/keys/role-references.ts';
import { useFakeAws } from '../../support/kms/aws.ts';
import { type TestServer, useServer } from '../../support/servers/server.ts';

const TOKEN = 'an-operator-token-of-36-characters--';
const PUBLIC = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

describe('key references with the role of the machine', () => {
  const fake = useFakeAws();
  const onboard = (server: TestServer, token?: string) =>
    server.call('onboardIssuer', {
      json: { key: { backend: 'aws', keyType: 'secp256r1', config: fake.roleConfig() } },
      token,
    });
  const kmsa = (allowRoleReferences: boolean) => ({ kms: { kmsa: { ...fake.settings, allowRoleReferences } } });
  const management = { services: { management: 'token' as const, managementToken: TOKEN } };

  describe('by default', () => {
    const server = useServer(async () => ({ settings: kmsa(false) }));

    it('are 400 naming the field, and no cloud is called', async () => {
      const { status, body } = await onboard(server);
      expect(status).to.equal(400);
      expect(body.details[0].path).to.equal('/body/key/config/auth/roleName');
      const calls = { ...fake.config().auth, roleName: 'issuer' };
      for (const auth of [fake.roleConfig().auth, calls])
        for (const issuerKey of [
          { type: 'kmsa', id: 'k', auth },
          { type: 'kmsa-rest-api', id: 'k', config: { auth } },
        ]) {
          const answer = await server.call('createStatusList', {
            json: { issuerKey: { ...issuerKey, _publicKey: PUBLIC }, type: 'TokenStatusList', format: 'JWT' },
          });
          expect(answer.body.details[0].path).to.match(/^\/body\/issuerKey\/(config\/)?auth\/roleName$/);
        }
      expect([...fake.server.calls, ...fake.metadataServer.calls]).to.deep.equal([]);
    });

    it('are refused in each line of a body', async () => {
      const issuerKey = { type: 'aws', id: 'k', config: fake.roleConfig() };
      const line = {
        profileId: 'UniversityDegree_jwt_vc_json',
        authMethod: 'PRE_AUTHORIZED',
        runtimeOverrides: { issuerKey },
      };
      const { body } = await server.call('createCredentialOffersInBulk', { lines: [line] });
      expect(JSON.stringify(body)).to.include('issuerKey/config/auth/roleName');
      expect(fake.metadataServer.calls).to.deep.equal([]);
    });
  });

  describe('where kms.conf allows them', () => {
    const server = useServer(async () => ({ settings: kmsa(true) }));
    it('create keys', async () => {
      expect((await onboard(server)).status).to.equal(200);
    });
  });

  describe('with the management token', () => {
    const server = useServer(async () => ({ settings: { ...kmsa(false), ...management } }));
    it('create keys', async () => {
      expect((await onboard(server, TOKEN)).status).to.equal(200);
    });
  });

  it('other members that are called roleName are none', () => {
    refuseRoleReferences(
      { auth: { roleName: 'x' }, roleName: 'y', list: [{ type: 'jwk', auth: { roleName: 'z' } }] },
      [],
    );
  });
});

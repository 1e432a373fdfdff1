import { listen } from '../support/servers.ts';

/** What is used of `oidc-provider`, which has no types of its own. */
interface Library {
  default: new (issuer: string, configuration: object) => { callback(): Parameters<typeof listen>[0] };
}

const LIBRARY = 'oidc-provider';
const { default: Provider } = (await import(LIBRARY)) as Library;
const [client_id = '', client_secret = ''] = process.argv.slice(2);

/** A token endpoint for one client; its opaque tokens are stored in memory. */
const provider = new Provider('http://127.0.0.1', {
  clients: [
    {
      client_id,
      client_secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
  ttl: { ClientCredentials: 300 },
});
listen(provider.callback());

//! Object stores of the engine: the local files, and what an address names.
//!
//! A store is created when its address is first used. Its credentials are those of the environment, under the names
//! that the vendors' own tools use, such as `AWS_ACCESS_KEY_ID`.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::utils::default_session_builder;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::SessionConfig;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::{ClientOptions, ObjectStore, RetryConfig};
use url::{Position, Url};

/// Attempts after a failed request, before it is an error.
const RETRIES: usize = 4;

/// No request is repeated after this time.
const RETRY_TIME: Duration = Duration::from_secs(20);

/// Returns the runtime of a session that reads addresses.
pub(crate) fn runtime() -> RuntimeEnvBuilder {
    RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(Stores::default()))
}

/// Returns the state of a session on a cluster that reads addresses.
pub(crate) fn session(config: SessionConfig) -> Result<SessionState> {
    let state = default_session_builder(config)?;
    Ok(SessionStateBuilder::new_from_existing(state).with_runtime_env(runtime().build_arc()?).build())
}

/// The stores that were used so far.
#[derive(Debug, Default)]
struct Stores(DefaultObjectStoreRegistry);

impl ObjectStoreRegistry for Stores {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.0.register_store(url, store)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        if let Ok(store) = self.0.get_store(url) {
            return Ok(store);
        }
        let store = store(url)?;
        self.0.register_store(url, Arc::clone(&store));
        Ok(store)
    }
}

/// Creates the store of an address.
fn store(url: &Url) -> Result<Arc<dyn ObjectStore>> {
    // The engine tells stores apart by scheme, host and port only.
    if !url.username().is_empty() {
        return Err(DataFusionError::Configuration(format!(
            "{}: an address must not have a part before an @; set the account and the password in the environment",
            url.scheme()
        )));
    }
    let retry = RetryConfig { max_retries: RETRIES, retry_timeout: RETRY_TIME, ..RetryConfig::default() };
    let address = url.as_str();
    Ok(match url.scheme() {
        "s3" | "s3a" => Arc::new(AmazonS3Builder::from_env().with_url(address).with_retry(retry).build()?),
        "gs" => Arc::new(GoogleCloudStorageBuilder::from_env().with_url(address).with_retry(retry).build()?),
        "az" | "azure" | "abfs" | "abfss" => {
            Arc::new(MicrosoftAzureBuilder::from_env().with_url(address).with_retry(retry).build()?)
        }
        "http" | "https" => {
            let options = ClientOptions::new().with_allow_http(url.scheme() == "http");
            let origin = &url[..Position::BeforePath];
            Arc::new(HttpBuilder::new().with_url(origin).with_client_options(options).with_retry(retry).build()?)
        }
        other => {
            return Err(DataFusionError::Configuration(format!(
                "addresses with {other}:// cannot be read; s3, gs, az, abfs, http and https can"
            )));
        }
    })
}

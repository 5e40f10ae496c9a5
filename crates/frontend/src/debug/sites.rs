//! Places in the source, each kept once.

use std::collections::HashMap;

use unravel_program::{Site, SiteId};
use unravel_span::Span;

use super::{Debug, enclosing_function};
use crate::llvm::Metadata;

/// The sites of a program.
pub(super) struct Sites {
    sites: Vec<Site>,
    ids: HashMap<Site, SiteId>,
    /// Sites by the key of their location node.
    locations: HashMap<usize, SiteId>,
}

impl Sites {
    pub(super) fn new() -> Self {
        let nowhere = Site { span: None, function: String::new(), inlined_at: None, hook: None };
        let ids = HashMap::from([(nowhere.clone(), SiteId(0))]);
        Sites { sites: vec![nowhere], ids, locations: HashMap::new() }
    }

    pub(super) fn intern(&mut self, site: Site) -> SiteId {
        if let Some(id) = self.ids.get(&site) {
            return *id;
        }
        let id = SiteId(u32::try_from(self.sites.len()).unwrap_or(0));
        self.sites.push(site.clone());
        self.ids.insert(site, id);
        id
    }

    /// The same place with a hook of its own.
    pub(super) fn with_hook(&mut self, id: SiteId, hook: u64) -> SiteId {
        match self.sites.get(id.0 as usize).cloned() {
            Some(site) => self.intern(Site { hook: Some(hook), ..site }),
            None => id,
        }
    }

    pub(super) fn has_place(&self, id: SiteId) -> bool {
        self.sites.get(id.0 as usize).is_some_and(|site| site.span.is_some())
    }

    pub(super) fn finish(self) -> Vec<Site> {
        self.sites
    }
}

impl<'m> Debug<'m> {
    /// The site of a location, with the calls it was inlined at.
    pub(super) fn location_site(&mut self, location: Metadata<'m>) -> SiteId {
        if let Some(id) = self.sites.locations.get(&location.key()) {
            return *id;
        }
        // From the outermost call inwards, so that the chain needs no recursion.
        let mut chain = vec![location];
        while let Some(outer) = chain.last().and_then(|it| it.inlined_at()) {
            chain.push(outer);
        }
        let mut inlined_at = None;
        for location in chain.into_iter().rev() {
            inlined_at = Some(self.one_site(location, inlined_at));
        }
        let id = inlined_at.unwrap_or(SiteId(0));
        self.sites.locations.insert(location.key(), id);
        id
    }

    fn one_site(&mut self, location: Metadata<'m>, inlined_at: Option<SiteId>) -> SiteId {
        let (line, column) = location.position().unwrap_or_default();
        let scope = location.location_scope();
        let file = scope.and_then(|scope| scope.scope_file());
        let span = file.and_then(|file| self.span(file, line, column));
        let function = scope.and_then(enclosing_function).unwrap_or_default();
        self.sites.intern(Site { span, function, inlined_at, hook: None })
    }

    /// A place in a file; `None` for line 0, which marks code the compiler made up.
    pub(super) fn span(&mut self, file: Metadata<'m>, line: u32, column: u32) -> Option<Span> {
        if line == 0 {
            return None;
        }
        let (directory, name) = file.file()?;
        let shown = self.paths.show(&directory, &name);
        Some(Span::new(self.files.intern(&shown), line, column))
    }
}
